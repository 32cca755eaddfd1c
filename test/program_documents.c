// The documents tell the truth: what the program writes is what it would write now, commands run,
// parts of sources are in them, links lead somewhere.
//
// Blocks of a document are marked by their first line:
//   sh               commands; run in a folder that the document has for itself, one block after
//                    the other
//   sh not run: WHY  commands that are not
//   json NAME        a file in that folder
//   c                a program; compiled and run by test/package/examples.sh
//   c PATH           a part of that source, word for word
//   c new: PATH      a file that somebody would add, and
//   diff             what would be changed; test/extend/extend.sh does both
//   python         run by python/tests/test_documents.py
//   cmake, mermaid, math, or nothing: not looked at
// A line "<!-- with: COMMAND -->" is for a command that readers do not see: it makes what the text
// assumes, a model for example. Runs have two frames here, meshes few tets, and benchmarks are
// short.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "folder.h"
#include "program.h"
#include "render/picture.h"
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

static char* read_text(const char* path)
{
    void* data = NULL;
    size_t bytes = 0;
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return (char*)data;
}

static void write_text(const char* path, const char* text, size_t bytes)
{
    FILE* f = fopen(path, "w");
    if (!f || fwrite(text, 1, bytes, f) != bytes || fclose(f)) fail_msg("%s: not written", path);
}

// ---- what the program writes --------------------------------------------------------------------

static void check_written(const char* arguments, const char* path)
{
    program_run run;
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", SOURCE_DIR, path);
    run_program(arguments, &run);
    assert_int_equal(run.status, 0);
    char* page = read_text(whole);
    bool same = strcmp(page, run.text) == 0;
    mem_free(page);
    if (!same) fail_msg("%s is old: make documents (pliant %s) writes it anew", path, arguments);
}

static void the_keys_of_scenes_are_those_of_the_program(void** state)
{
    (void)state;
    check_written("help scene --markdown", "docs/scene-reference.md");
}

static void the_manual_page_is_that_of_the_program(void** state)
{
    (void)state;
    check_written("help man", "docs/pliant.1");
}

static void groff_takes_the_manual_page_without_a_warning(void** state)
{
    (void)state;
    char text[4096];
    if (system("command -v groff >/dev/null") != 0) {
        print_message("no groff here\n");
        skip();
    }
    FILE* pipe = popen("groff -ww -man -Tascii -z '" SOURCE_DIR "/docs/pliant.1' 2>&1", "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    if (pclose(pipe) != 0 || text[0]) fail_msg("groff says: %s", text);
}

static void help_on_a_command_is_its_help(void** state)
{
    (void)state;
    program_run by_word, by_option;
    run_program("help info", &by_word);
    run_program("info --help", &by_option);
    assert_int_equal(by_word.status, 0);
    assert_string_equal(by_word.text, by_option.text);
    check_complaint("help nothing", 2, "there is no command 'nothing'");
}

// ---- blocks -------------------------------------------------------------------------------------

typedef struct {
    const char* path; // from the root of the project
    int line;         // of the text's first line
    char words[256];  // after ```
    const char* text;
    size_t bytes;
} block;

typedef void block_fn(const block* b, void* context);

static const char* line_end(const char* at)
{
    const char* end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

static bool begins(const char* at, const char* word) { return !strncmp(at, word, strlen(word)); }

// A command that readers do not see, as a block of its own.
static void hidden_block(const char* at, const block* where, block_fn* call, void* context)
{
    static const char before[] = "<!-- with: ";
    block b = *where;
    const char* end = strstr(at, " -->");
    if (!begins(at, before)) return;
    if (!end || end > line_end(at)) fail_msg("%s:%d: --> is missing", b.path, b.line);
    strcpy(b.words, "sh");
    b.text = at + strlen(before);
    b.bytes = (size_t)(end - b.text);
    call(&b, context);
}

static const char* fenced_block(const char* at, block* b, block_fn* call, void* context)
{
    const char* first = line_end(at);
    snprintf(b->words, sizeof b->words, "%.*s", (int)(first - at) - 4, at + 3);
    b->text = first;
    ++b->line;
    const char* end = first;
    while (*end && !begins(end, "```")) end = line_end(end);
    if (!*end) fail_msg("%s:%d: a block without an end", b->path, b->line);
    b->bytes = (size_t)(end - first);
    call(b, context);
    return end;
}

static void each_block(const char* path, const char* page, block_fn* call, void* context)
{
    int line = 1;
    for (const char* at = page; *at; at = line_end(at), ++line) {
        block b = {.path = path, .line = line};
        hidden_block(at, &b, call, context);
        if (!begins(at, "```")) continue;
        const char* end = fenced_block(at, &b, call, context);
        for (; at < end; at = line_end(at)) ++line;
        at = end;
    }
}

typedef void page_fn(const char* path, const char* page);

static void each_page(page_fn* call)
{
    glob_t found;
    assert_int_equal(glob(SOURCE_DIR "/*.md", 0, NULL, &found), 0);
    assert_int_equal(glob(SOURCE_DIR "/docs/*.md", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(glob(SOURCE_DIR "/docs/rooms/*.md", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(glob(SOURCE_DIR "/docs/measured/*.md", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        char* page = read_text(found.gl_pathv[i]);
        call(found.gl_pathv[i] + strlen(SOURCE_DIR "/"), page);
        mem_free(page);
    }
    globfree(&found);
}

// ---- commands -----------------------------------------------------------------------------------

// A program of that name in the folder, which is short for what takes long.
static void make_short_program(void)
{
    static const char text[] =
        "#!/bin/sh\n"
        "case $1 in\n"
        "run | render)\n"
        "    case \"$*\" in *--times*) set -- \"$@\" --times 0,0.01 ;; esac\n"
        "    [ \"$PLIANT_TEST_ALL\" = 1 ] || [ $1 = run ] || set -- \"$@\" --size 320x240\n"
        "    exec '" PROGRAM "' \"$@\" --frames 2 ;;\n"
        "bench) exec '" PROGRAM "' \"$@\" --quick ;;\n"
        "mesh)\n"
        "    [ \"$PLIANT_TEST_ALL\" = 1 ] ||\n"
        "        case \"$*\" in *--tets*) set -- \"$@\" --tets 5000 ;; esac\n"
        "    exec '" PROGRAM "' \"$@\" ;;\n"
        "*) exec '" PROGRAM "' \"$@\" ;;\n"
        "esac\n";
    char path[256];
    snprintf(path, sizeof path, "%s/pliant", folder);
    write_text(path, text, strlen(text));
    assert_int_equal(chmod(path, 0755), 0);
}

typedef struct {
    char folder[256];
    int runs;
} workplace;

// The folder of a document has the program where the README builds it.
static workplace make_workplace(const char* path)
{
    workplace w = {.runs = 0};
    char command[1024], name[128];
    snprintf(name, sizeof name, "%s", path);
    for (char* at = name; *at; ++at)
        if (*at == '/') *at = '_';
    snprintf(w.folder, sizeof w.folder, "%s/%s", folder, name);
    snprintf(command, sizeof command,
             "mkdir -p '%s/build/release/cli' && ln -s %s/pliant '%s/build/release/cli/pliant'",
             w.folder, folder, w.folder);
    assert_int_equal(system(command), 0);
    return w;
}

static void run_block(const block* b, const workplace* w)
{
    char script[512], command[2048], text[4096];
    snprintf(script, sizeof script, "%s/block.sh", w->folder);
    write_text(script, b->text, b->bytes);
    snprintf(command, sizeof command,
             "cd '%s' && PATH='%s':\"$PATH\" sh -e block.sh >block.out 2>&1 </dev/null; status=$?; "
             "tail -n 20 block.out; exit $status",
             w->folder, folder);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    if (pclose(pipe) != 0)
        fail_msg("%s:%d: does not work:\n%.*s\nIt says:\n%s", b->path, b->line, (int)b->bytes,
                 b->text, text);
}

static bool has_other_mark(const block* b)
{
    const char* w = b->words;
    bool program = strcmp(w, "c") == 0 || begins(w, "c ") || begins(w, "sh not run: ");
    return program || !*w || !strcmp(w, "cmake") || !strcmp(w, "python") || !strcmp(w, "mermaid") ||
           !strcmp(w, "math") || !strcmp(w, "diff");
}

static void work_block(const block* b, void* context)
{
    workplace* w = (workplace*)context;
    char path[600];
    if (strcmp(b->words, "sh") == 0) {
        run_block(b, w);
        ++w->runs;
    } else if (begins(b->words, "json ")) {
        snprintf(path, sizeof path, "%s/%s", w->folder, b->words + strlen("json "));
        write_text(path, b->text, b->bytes);
    } else if (!has_other_mark(b)) {
        fail_msg("%s:%d: '%s' is no mark of a block", b->path, b->line, b->words);
    }
}

static void work_through(const char* path, const char* page)
{
    workplace w = make_workplace(path);
    each_block(path, page, work_block, &w);
    if (w.runs) print_message("%s: %d blocks of commands\n", path, w.runs);
}

static void every_command_of_the_documents_works(void** state)
{
    (void)state;
    if (!picture_is_available()) {
        print_message("no pictures without libpng, and commands that ask for them\n");
        skip();
    }
    make_short_program();
    each_page(work_through);
}

// A scene that says its substeps, run as it stands.
static void check_substeps(const block* b, void* unused)
{
    char path[256], arguments[300];
    program_run run;
    (void)unused;
    if (!begins(b->words, "json ")) return;
    snprintf(path, sizeof path, "%s/substeps.json", folder);
    write_text(path, b->text, b->bytes);
    char* text = read_text(path);
    bool says = strstr(text, "\"substeps\":") != NULL;
    mem_free(text);
    if (!says) return;
    snprintf(arguments, sizeof arguments, "run '%s'", path);
    run_program(arguments, &run);
    if (run.status || !strstr(run.text, "unresolved") || strstr(run.text, "is unresolved: use"))
        fail_msg("%s:%d: %s", b->path, b->line, run.text);
    print_message("%s:%d: its substeps do\n", b->path, b->line);
}

static void check_substeps_of_page(const char* path, const char* page)
{
    each_block(path, page, check_substeps, NULL);
}

static void scenes_of_the_documents_have_the_substeps_they_need(void** state)
{
    (void)state;
    each_page(check_substeps_of_page);
}

static void check_indented(const char* path, const char* page)
{
    static const char* const word[] = {"pliant ", "build/", "make ", "cmake ", "cc "};
    int line = 1;
    for (const char* at = page; *at; at = line_end(at), ++line)
        for (size_t i = 0; i < sizeof word / sizeof word[0]; ++i)
            if (begins(at, "    ") && begins(at + 4, word[i]))
                fail_msg("%s:%d: a command outside of a block is not tried: ```sh", path, line);
}

static void commands_stand_in_blocks(void** state)
{
    (void)state;
    each_page(check_indented);
}

// A command within a sentence: it exists, and has the options.
static void check_sentence(const char* path, const char* command, size_t bytes)
{
    program_run help;
    char words[512], arguments[600];
    snprintf(words, sizeof words, "%.*s", (int)bytes, command);
    snprintf(arguments, sizeof arguments, "help %.*s 2>&1", (int)strcspn(words, " "), words);
    run_program(arguments, &help);
    if (help.status != 0) fail_msg("%s: pliant %s: there is no such command", path, words);
    for (char* at = words; (at = strstr(at, " --")) != NULL;) {
        char option[128];
        snprintf(option, sizeof option, "  %.*s ", (int)strcspn(at + 1, " =,"), at + 1);
        if (!strstr(help.text, option)) fail_msg("%s: pliant %s: no option%s", path, words, option);
        at += 3;
    }
}

static void check_sentences(const char* path, const char* page)
{
    static const char before[] = "`pliant ";
    for (const char* at = page; (at = strstr(at, before)) != NULL;) {
        at += strlen(before);
        check_sentence(path, at, strcspn(at, "`"));
    }
}

static void commands_in_sentences_have_their_options(void** state)
{
    (void)state;
    each_page(check_sentences);
}

// ---- sources and links --------------------------------------------------------------------------

static void check_part(const block* b, void* context)
{
    (void)context;
    char path[1024];
    if (!begins(b->words, "c ") || begins(b->words, "c new: ")) return;
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, b->words + 2);
    char *source = read_text(path), *part = (char*)mem_alloc(b->bytes + 1);
    assert_non_null(part);
    memcpy(part, b->text, b->bytes);
    part[b->bytes] = 0;
    bool there = strstr(source, part) != NULL;
    mem_free(source);
    mem_free(part);
    if (!there) fail_msg("%s:%d: %s has no such part", b->path, b->line, b->words + 2);
}

static void check_parts(const char* path, const char* page)
{
    each_block(path, page, check_part, NULL);
}

static void parts_of_sources_are_in_them(void** state)
{
    (void)state;
    each_page(check_parts);
}

// Headings become anchors: lower case, blanks as dashes, letters, digits, - and _ stay.
static bool has_anchor(const char* page, const char* anchor, size_t bytes)
{
    for (const char* at = page; *at; at = line_end(at)) {
        size_t n = 0;
        if (*at != '#') continue;
        at += strspn(at, "# ");
        for (; *at && *at != '\n'; ++at) {
            char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + 'a' - 'A') : *at == ' ' ? '-' : *at;
            bool stays = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!stays) continue;
            if (n >= bytes || anchor[n] != c) n = bytes + 1;
            if (n > bytes) break;
            ++n;
        }
        if (n == bytes) return true;
    }
    return false;
}

static void check_link(const char* path, const char* page, const char* link, size_t bytes)
{
    char whole[1200];
    size_t file = strcspn(link, "#)");
    int root = strchr(path, '/') ? (int)(strrchr(path, '/') - path) + 1 : 0;
    snprintf(whole, sizeof whole, "%s/%.*s%.*s", SOURCE_DIR, root, path, (int)file, link);
    if (file && access(whole, F_OK) != 0)
        fail_msg("%s: nothing is at the end of the link %.*s", path, (int)bytes, link);
    if (file == bytes) return;
    char* other = file ? read_text(whole) : NULL;
    bool there = has_anchor(other ? other : page, link + file + 1, bytes - file - 1);
    mem_free(other);
    if (!there) fail_msg("%s: no heading for the link %.*s", path, (int)bytes, link);
}

static void check_links(const char* path, const char* page)
{
    for (const char* at = page; (at = strstr(at, "](")) != NULL;) {
        at += 2;
        size_t bytes = strcspn(at, ")\n ");
        if (at[bytes] == ')' && !begins(at, "http")) check_link(path, page, at, bytes);
    }
}

static void links_lead_somewhere(void** state)
{
    (void)state;
    each_page(check_links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_of_scenes_are_those_of_the_program),
        cmocka_unit_test(the_manual_page_is_that_of_the_program),
        cmocka_unit_test(groff_takes_the_manual_page_without_a_warning),
        cmocka_unit_test(help_on_a_command_is_its_help),
        numbers_test(every_command_of_the_documents_works),
        numbers_test(scenes_of_the_documents_have_the_substeps_they_need),
        cmocka_unit_test(commands_stand_in_blocks),
        usual_test(commands_in_sentences_have_their_options),
        cmocka_unit_test(parts_of_sources_are_in_them),
        cmocka_unit_test(links_lead_somewhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
