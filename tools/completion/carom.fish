# Completion of carom for fish: commands, options and names come from the program itself.
function __carom_options
    set -l words (commandline -opc)
    carom $words[2] --print-options 2>/dev/null | tail -n +2 | while read -l -d \t name letter value help
        printf '%s\t%s\n' --$name $help
    end
end
function __carom_names
    carom list $argv[1] | string match -r '^ *[a-z0-9-]+(?=  +[A-Z0-9])' | string trim
end
complete -c carom -n __fish_use_subcommand -f -a '(carom help --print-options)'
complete -c carom -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__carom_options)'
complete -c carom -l integrator -x -a '(__carom_names integrators)'
complete -c carom -l formulation -x -a '(__carom_names formulations)'
complete -c carom -l law -x -a '(__carom_names laws)'
complete -c carom -l color -x -a 'auto always never'
complete -c carom -l install -x -a vscode
