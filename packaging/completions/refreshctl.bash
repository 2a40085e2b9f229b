# bash completion for refreshctl(1). The program knows its own commands, and the daemon its feeds.
_refreshctl() {
    local line words=("${COMP_WORDS[@]:1:COMP_CWORD}") program=${COMP_WORDS[0]}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            local IFS=$'\n'
            COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
            return
        fi
        COMPREPLY+=("${line%%$'\t'*}")
    done < <("$program" _complete "${words[@]}" 2>/dev/null)
}
complete -F _refreshctl refreshctl
