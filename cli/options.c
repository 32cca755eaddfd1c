#include "options.h"
#include "manual.h"
#include "scene/nearest.h"
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_show_help(const command_help* help)
{
    printf("pliant %s %s [options]\n%s\n", help->name, help->words, help->summary);
    if (help->option_count) printf("\n");
    for (int i = 0; i < help->option_count; ++i) {
        const option* o = &help->option[i];
        char left[64];
        snprintf(left, sizeof left, "%s %s", o->name, o->argument ? o->argument : "");
        printf("  %-26s %s\n", left, o->help);
    }
}

static bool mistake(const command_help* help, const char* what, const char* about)
{
    fprintf(stderr, "pliant %s: %s: %s (pliant %s --help lists the options)\n", help->name, about,
            what, help->name);
    return false;
}

static bool is_in_range(const command_help* help, const option* o, double value)
{
    char why[120];
    double low = 0, high = DBL_MAX;
    for (int i = 0; i < help->range_count; ++i)
        if (strcmp(help->range[i].name, o->name) == 0)
            low = help->range[i].low, high = help->range[i].high;
    if (value >= low && value <= high) return true;
    if (high == DBL_MAX)
        snprintf(why, sizeof why, "%.10g is out of range: 0 or more", value);
    else if (low == DBL_MIN)
        snprintf(why, sizeof why, "%.10g has to be above 0 and at most %.10g", value, high);
    else
        snprintf(why, sizeof why, "%.10g is out of range: %.10g to %.10g", value, low, high);
    return mistake(help, why, o->name);
}

static const option* find_option(const command_help* help, const char* word, size_t length)
{
    for (int i = 0; i < help->option_count; ++i)
        if (strlen(help->option[i].name) == length &&
            strncmp(help->option[i].name, word, length) == 0)
            return &help->option[i];
    return NULL;
}

static uint64_t bit_of(const command_help* help, const option* o)
{
    return (uint64_t)1 << (o - help->option); // no command has more than 64
}

static bool is_given(const command_help* help, const parsed* in, const char* name)
{
    const option* o = find_option(help, name, strlen(name));
    return o && in->given & bit_of(help, o);
}

static bool has_what_it_needs(const command_help* help, const parsed* in, const option_need* n)
{
    char why[120];
    size_t at = (size_t)snprintf(why, sizeof why, "it goes with");
    if (!is_given(help, in, n->name)) return true;
    for (int i = 0; i < MOST_NEEDED && n->one_of[i]; ++i) {
        if (is_given(help, in, n->one_of[i])) return true;
        at += (size_t)snprintf(why + at, sizeof why - at, "%s %s", i ? " or" : "", n->one_of[i]);
    }
    return mistake(help, why, n->name);
}

static bool store_int(const command_help* help, const option* o, const char* text)
{
    char* end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text == 0 || *end || errno || value < INT_MIN || value > INT_MAX)
        return mistake(help, "a whole number is needed", o->name);
    if (!is_in_range(help, o, (double)value)) return false;
    *(int*)o->value = (int)value;
    return true;
}

static bool store_number(const command_help* help, const option* o, const char* text)
{
    char* end;
    double value = strtod(text, &end);
    if (*text == 0 || *end || !(value - value == 0))
        return mistake(help, "a number is needed", o->name);
    if (!is_in_range(help, o, value)) return false;
    *(double*)o->value = value;
    return true;
}

static bool store(const command_help* help, const option* o, const char* text)
{
    switch (o->kind) {
    case OPTION_INT:
        return store_int(help, o, text);
    case OPTION_NUMBER:
        return store_number(help, o, text);
    case OPTION_TEXT:
        *(const char**)o->value = text;
        return true;
    case OPTION_SWITCH:
        break;
    }
    return mistake(help, "it takes no value", o->name);
}

static bool unknown_option(const command_help* help, const char* word)
{
    char why[160];
    nearest meant = nearest_to(word);
    for (int i = 0; i < help->option_count; ++i) nearest_try(&meant, help->option[i].name);
    snprintf(why, sizeof why, "unknown option%s", nearest_advice(&meant).text);
    return mistake(help, why, word);
}

// The option at argv[*at]; moves on past its value.
static bool read_option(const command_help* help, int argc, char** argv, int* at, parsed* out)
{
    const char *word = argv[*at], *equals = strchr(word, '=');
    const option* o = find_option(help, word, equals ? (size_t)(equals - word) : strlen(word));
    if (!o) return unknown_option(help, word);
    out->given |= bit_of(help, o);
    if (equals) return store(help, o, equals + 1);
    if (o->kind == OPTION_SWITCH) {
        *(bool*)o->value = true;
        return true;
    }
    if (*at + 1 >= argc) return mistake(help, "a value is missing", word);
    return store(help, o, argv[++*at]);
}

static bool read_words(const command_help* help, int argc, char** argv, parsed* out, bool* shown)
{
    bool only_words = false;
    for (int i = 0; i < argc; ++i) {
        const char* word = argv[i];
        bool is_option = !only_words && word[0] == '-' && word[1] != 0;
        if (is_option && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (is_option && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            options_show_help(help);
            *shown = true;
            return true;
        } else if (is_option && strcmp(word, "--man") == 0) {
            manual_command(help);
            *shown = true;
            return true;
        } else if (is_option && strcmp(word, "-o") == 0) {
            static char out_name[] = "--out";
            argv[i] = out_name;
            if (!read_option(help, argc, argv, &i, out)) return false;
        } else if (is_option) {
            if (!read_option(help, argc, argv, &i, out)) return false;
        } else if (out->count == help->most_words) {
            return mistake(help, "too many words", word);
        } else {
            out->word[out->count++] = word;
        }
    }
    return true;
}

parsed options_parse(const command_help* help, int argc, char** argv, const char* words[MOST_WORDS])
{
    parsed out = {.word = words};
    bool shown = false, good = read_words(help, argc, argv, &out, &shown);
    if (good && !shown && out.count < help->least_words)
        good = mistake(help, help->words, "something is missing");
    for (int i = 0; i < help->need_count && good && !shown; ++i)
        good = has_what_it_needs(help, &out, &help->need[i]);
    out.leave = shown || !good;
    out.exit_status = good ? EXIT_DONE : EXIT_USAGE;
    return out;
}
