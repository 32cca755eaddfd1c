// Options of a command: one table gives parsing, errors and the help text.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef enum { OPTION_SWITCH, OPTION_INT, OPTION_NUMBER, OPTION_TEXT } option_kind;

typedef struct {
    const char* name; // "--frames"
    option_kind kind; // what follows, and what `value` points to: bool, int, double, const char*
    void* value;      // keeps its default when the option is absent
    const char* argument; // "N" in the help; NULL for a switch
    const char* help;     // one line
} option;

// What a number may be: both ends are fine; DBL_MIN: above 0.
typedef struct {
    const char* name;
    double low, high;
} option_range;

// An option that changes nothing by itself, and those of which one has to be there.
enum { MOST_NEEDED = 3 };
typedef struct {
    const char *name, *one_of[MOST_NEEDED];
} option_need;

typedef struct {
    const char* name;     // "run"
    const char* words;    // "SCENE.json", what stands beside the options
    const char* summary;  // one line
    const option* option; // option_count
    int option_count;
    int least_words, most_words;
    const option_range* range; // range_count; numbers without one are 0 or more
    int range_count;
    const option_need* need; // need_count
    int need_count;
} command_help;

typedef struct {
    const char** word; // what is not an option, in order
    int count;
    uint64_t given;  // a bit for each option of the table
    int exit_status; // EXIT_DONE: go on; otherwise leave with it (help was shown, or a mistake)
    bool leave;
} parsed;

enum { MOST_WORDS = 64 };

enum { MOST_FRAMES = 1000000, MOST_THREADS = 1024, MOST_TETS = 1 << 27 }; // ranges of options

// Reads "--name value" and "--name=value", "--help", and "--" before words that begin with a dash.
// "--man" shows the help as a part of the manual page (manual.h collects them).
// Mistakes go to stderr with the way out.
parsed options_parse(const command_help* help, int argc, char** argv,
                     const char* words[MOST_WORDS]);
void options_show_help(const command_help* help);
