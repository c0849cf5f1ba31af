# Completion of carom for bash: commands, options and names come from the program itself.
_carom_names() { carom list "$1" 2>/dev/null | awk '/^ *[a-z0-9-]+  +[A-Z0-9]/ { print $1 }'; }
_carom() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$(carom help --print-options | cut -f 1)
    else
        case $before in
        --integrator) words=$(_carom_names integrators) ;;
        --formulation) words=$(_carom_names formulations) ;;
        --law) words=$(_carom_names laws) ;;
        --color) words='auto always never' ;;
        --install) words=vscode ;;
        esac
        case $word in
        -*) words=$(carom "$command" --print-options 2>/dev/null | tail -n +2 | sed 's/^/--/' | cut -f 1) ;;
        esac
        case $command in
        help) words=$(carom help --print-options | cut -f 1) ;;
        esac
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _carom carom
