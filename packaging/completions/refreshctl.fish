# fish completion for refreshctl(1). The program knows its own commands, and the daemon its feeds.
function __refreshctl_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l lines ($words[1] _complete $words[2..] "$current" 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path "$current"
    else
        printf '%s\n' $lines
    end
end
complete --command refreshctl --no-files --arguments '(__refreshctl_complete)'
