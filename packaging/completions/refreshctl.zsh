#compdef refreshctl
# zsh completion for refreshctl(1). The program knows its own commands, and the daemon its feeds.
_refreshctl() {
    local line
    local -a lines candidates
    lines=("${(@f)$(${words[1]} _complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ $lines[1] == :files ]]; then
        _files
        return
    fi
    for line in $lines; do
        # A colon parts a candidate from what it means.
        case $line in
        *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        ?*) candidates+=("${line//:/\\:}") ;;
        esac
    done
    _describe refreshctl candidates
}
if [[ $funcstack[1] == _refreshctl ]]; then _refreshctl "$@"; else compdef _refreshctl refreshctl; fi
