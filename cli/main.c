/* The command line: dispatch, global help and version. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cli.h"
#include "support/options.h"
#include "support/signals.h"
#include "support/terminal.h"

static int command_help(int argc, char **argv);

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments, *summary;
} command;

static const command commands[] = {
    {"new", command_new, "[KIND]", "write a commented model to start from: impact, pendulum, linkage, cam, gears, ..."},
    {"view", command_view, "MODEL", "show a model in the browser, move its joints, run it again at each save"},
    {"run", command_run, "MODEL", "run the analyses of a model file, print its impacts, write results"},
    {"compare", command_compare, "MODEL", "run variants of a model in parallel, tabulate and overlay them"},
    {"sweep", command_sweep, "STUDY", "make the runs of a study file on all cores, keep their table"},
    {"fit", command_fit, "STUDY", "find parameters and laws from records of measurements, and what they are worth"},
    {"optimise", command_optimise, "STUDY", "find the best design of a model within bounds and constraints"},
    {"converge", command_converge, "MODEL", "how many digits of a run agree, until when, and what holds after that"},
    {"check", command_check, "MODEL", "counts, rank, mobility, redundant rows, and what to expect of each contact"},
    {"import", command_import, "ROBOT", "write a robot from a URDF or MJCF file as a model file"},
    {"force", command_force, "--law NAME", "force of a contact law over indentation and rate; fits of a power law"},
    {"impact", command_impact, "--law NAME", "free direct impact of contact laws, exact where there is a closed form"},
    {"explain", command_explain, "NAME", "formula, parameters, source and validity of a law, joint, shape, ..."},
    {"list", command_list, "[FAMILY]", "names of all laws, joints, shapes, ...; keys of the model file"},
    {"schema", command_schema, "", "JSON Schema of model files; --install vscode makes an editor use it"},
    {"export", command_export, "RESULT",
     "channels of a result as CSV or a MAT-file, its motion for ParaView or as glTF"},
    {"plot", command_plot, "RESULT CHANNEL...", "draw channels of a result as SVG, PDF or PNG"},
    {"report", command_report, "RESULT...", "one HTML file of results: motion, plots, impacts, energies"},
    {"help", command_help, "[COMMAND]", "this text, or that of a command"},
};

static void print_help(FILE *file)
{
    const char *head = paint_begin(file, PAINT_HEADING), *end = paint_end(file);
    fprintf(file,
            "Carom simulates multibody systems with compliant contact.\n\n%sUsage:%s carom COMMAND [arguments] "
            "[options]\n\n%sCommands:%s\n",
            head, end, head, end);
    for (size_t k = 0; k < COUNT(commands); k++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", commands[k].name, commands[k].arguments);
        fprintf(file, "  %-24s %s\n", left, commands[k].summary);
    }
    fputs(
        "\n`carom COMMAND --help` tells the options of a command and gives an example; `carom --version` the version.\n"
        "Tables and data go to standard output, errors and the progress of a run to standard error.\n\n"
        "A run from the model to a figure:\n"
        "  carom new impact -o model.yaml                  a model to start from\n"
        "  carom check model.yaml                          what the model is, what to expect of its contacts\n"
        "  carom run model.yaml                            impacts and energies; carom-out/model.h5 and .html\n"
        "  carom plot carom-out/model.h5 --list            names of the channels\n"
        "  carom plot carom-out/model.h5 contact.NAME.force --impact 1 -o force.svg\n\n"
        "Exit status: 0 done, 1 the model is wrong, 2 usage, 3 the solver gave up (results up to there are kept)\n"
        "or `run --strict` has a warning,\n"
        "4 input/output, 130 interrupted by Ctrl-C, 143 terminated (results up to there are kept).\n",
        file);
}

/* For completion: a line for each command, its name, a tab, what it does. */
static int print_commands(void)
{
    for (size_t k = 0; k < COUNT(commands); k++)
        printf("%s\t%s\n", commands[k].name, commands[k].summary);
    return EXIT_DONE;
}

/* The manual page, roff: what the commands say of themselves. */
static int print_manual(void)
{
    printf(".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n", carom_version());
    puts(".SH NAME\ncarom \\- multibody systems with compliant contact");
    puts(".SH SYNOPSIS\n.B carom\n.I COMMAND\n[arguments] [options]");
    puts(".SH DESCRIPTION\nCarom simulates multibody systems with compliant contact. Models are YAML files.");
    puts("Tables and data go to standard output, errors and the progress of a run to standard error.\n.SH COMMANDS");
    for (size_t k = 0; k < COUNT(commands); k++) {
        char word[] = OPTIONS_SECTION;
        char *arguments[] = {word, NULL};
        if (commands[k].run != command_help)
            commands[k].run(1, arguments);
    }
    puts(".SH EXIT STATUS\n0 done, 1 the model is wrong, 2 usage, 3 the solver gave up or \\-\\-strict has a warning,");
    puts("4 input or output, 130 interrupted, 143 terminated. Results up to there are kept.");
    return EXIT_DONE;
}

static const command *find_command(const char *name)
{
    for (size_t k = 0; k < COUNT(commands); k++)
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COUNT(commands)];
    for (size_t k = 0; k < COUNT(commands); k++)
        names[k] = commands[k].name;
    const char *nearest = carom_nearest_name(name, names, COUNT(commands));
    const char *kind = name[0] == '-' ? "option" : "command";
    if (nearest)
        print_error("unknown %s '%s'; did you mean '%s'?", kind, name, nearest);
    else
        print_error("unknown %s '%s'; `carom help` lists the commands", kind, name);
    return EXIT_USAGE;
}

static int command_help(int argc, char **argv)
{
    if (argc == 0 || strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[0], OPTIONS_ROWS) == 0)
        return print_commands();
    if (strcmp(argv[0], OPTIONS_SECTION) == 0)
        return print_manual();
    const command *c = find_command(argv[0]);
    if (!c)
        return unknown_command(argv[0]);
    if (argc > 1) {
        print_error("help: one argument too many, '%s'", argv[1]);
        return EXIT_USAGE;
    }
    char word[] = "--help";
    char *arguments[] = {word, NULL};
    return c->run(1, arguments);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strncmp(name, "--color=", 8) == 0 && terminal_take_colour(name + 8))
        return dispatch(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("carom %s\n", carom_version());
        return EXIT_DONE;
    }
    const command *c = find_command(name);
    return c ? c->run(argc - 2, argv + 2) : unknown_command(name);
}

/* A closed standard stream gets a descriptor that nobody can use, lest a file of results takes its number. */
static void fill_streams(void)
{
    int file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file > STDERR_FILENO)
        close(file);
}

static bool ending;

/* HDF5 calls exit() where it cannot allocate an identifier. */
static void end_by_library(void)
{
    if (ending)
        return;
    print_error("a library ended the program: memory may be short; results up to there are kept");
    _exit(EXIT_SOLVER);
}

/* All files are closed, and what libraries do at the end of a process is not waited for: HDF5 allocates there, and ends
   by a signal or a status of its own where it cannot. A leak checker is at work there as well. */
static _Noreturn void end_process(int status)
{
    ending = true;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    exit(status);
#else
    fflush(NULL);
    _exit(status);
#endif
}

int main(int argc, char **argv)
{
    fill_streams();
    watch_faults();
    atexit(end_by_library);
    int status = dispatch(argc, argv);
    /* a full disk shows at the latest when the buffer is written */
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || failed) {
        print_error("cannot write to standard output: %s", errno ? strerror(errno) : "input/output error");
        if (status == EXIT_DONE)
            status = EXIT_IO;
    }
    end_process(status);
}
