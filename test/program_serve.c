// The server of pliant view, by a client that speaks HTTP and WebSocket.
#define _POSIX_C_SOURCE 200809L
#include "base/platform.h"
#include "program.h"
#include "serve/client.h"
#include "serve/page.h"
#include "serve/sha1.h"
#include "serve/show.h"
#include "serve/websocket.h"
#include "system/net.h"

static const char token[] = "token-of-the-test";
static const char falling[] =
    "{\"frames\": 10, \"substeps\": 4, \"bodies\": [{\"mesh\": \"beam:3x3x3:0.2\","
    "\"position\": [0, 3, 0]}], \"colliders\": [{\"shape\": \"plane\"}]}";

// ---- a server on a thread of its own ------------------------------------------------------------

typedef struct {
    session session;
    platform_thread* thread;
    atomic_int interrupted;
    atomic_int port;
    pliant_result result;
} running;

static pliant_result load_nothing(const char* path, pliant_mesh** out)
{
    (void)path;
    *out = NULL;
    return PLIANT_ERROR_FILE;
}

static void on_opened(const char* url, void* context)
{
    running* r = (running*)context;
    int port = 0;
    sscanf(url, "http://127.0.0.1:%d/", &port);
    r->port = port;
}

static void serve(void* argument)
{
    running* r = (running*)argument;
    const show how = {"127.0.0.1", 0, ".", token, &r->interrupted, on_opened, r};
    r->result = show_run(&r->session, &how);
    if (r->result) r->port = -1;
}

static running* begin(void)
{
    running* r = (running*)calloc(1, sizeof *r);
    scene* from = NULL;
    const stage_options options = {.threads = 1,
                                   .lanes = -1,
                                   .substeps = -1,
                                   .iterations = -1,
                                   .backend = -1,
                                   .load = load_nothing};
    CHECK_OK(scene_parse(falling, sizeof falling - 1, "falling", &from));
    CHECK_OK(session_create(from, &options, &r->session));
    r->thread = platform_thread_start(serve, r);
    for (double end = platform_seconds() + 10; r->port == 0 && platform_seconds() < end;)
        net_wait(NULL, 0, 0.001);
    assert_true(r->port > 0);
    return r;
}

static void end(running* r)
{
    r->interrupted = 1;
    platform_thread_join(r->thread);
    assert_int_equal(r->result, PLIANT_OK);
    session_destroy(&r->session);
    free(r);
}

// ---- a client -----------------------------------------------------------------------------------

typedef struct {
    int socket;
    unsigned char data[1 << 17];
    size_t bytes;
} visitor;

static visitor* visit(const running* r)
{
    visitor* v = (visitor*)calloc(1, sizeof *v);
    CHECK_OK(net_connect(r->port, &v->socket));
    return v;
}

static void leave(visitor* v)
{
    net_close(v->socket);
    free(v);
}

static void send_all(const visitor* v, const void* data, size_t bytes)
{
    const char* at = (const char*)data;
    while (bytes > 0) {
        ptrdiff_t sent = net_write(v->socket, at, bytes);
        if (sent < 0) return; // it was closed: reading tells
        at += sent;
        bytes -= (size_t)sent;
    }
}

// More bytes; false: the server has closed, or nothing comes for a while.
static bool receive(visitor* v)
{
    net_watch watch = {.socket = v->socket};
    net_wait(&watch, 1, 5);
    if (!watch.readable || v->bytes == sizeof v->data) return false;
    ptrdiff_t got = net_read(v->socket, v->data + v->bytes, sizeof v->data - v->bytes);
    if (got > 0) v->bytes += (size_t)got;
    return got >= 0;
}

static void ask(visitor* v, const char* path, const char* word, const char* headers)
{
    char text[512];
    int length = snprintf(text, sizeof text, "GET %s?token=%s HTTP/1.1\r\nHost: here\r\n%s\r\n",
                          path, word, headers);
    send_all(v, text, (size_t)length);
}

// What is answered to one request, whole.
static const char* answer_of(visitor* v)
{
    while (receive(v)) {
    }
    if (v->bytes == sizeof v->data) v->bytes--;
    v->data[v->bytes] = 0;
    return (const char*)v->data;
}

static visitor* enter(const running* r)
{
    visitor* v = visit(r);
    ask(v, "/live", token,
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n");
    while (!memchr(v->data, '\n', v->bytes) || memcmp(v->data + v->bytes - 4, "\r\n\r\n", 4) != 0) {
        const unsigned char* end_of_head = NULL;
        for (size_t i = 3; i < v->bytes; ++i)
            if (memcmp(v->data + i - 3, "\r\n\r\n", 4) == 0) end_of_head = v->data + i + 1;
        if (end_of_head) break;
        assert_true(receive(v));
    }
    assert_memory_equal(v->data, "HTTP/1.1 101", 12);
    size_t head = 0;
    for (size_t i = 3; i < v->bytes && !head; ++i)
        if (memcmp(v->data + i - 3, "\r\n\r\n", 4) == 0) head = i + 1;
    memmove(v->data, v->data + head, v->bytes - head);
    v->bytes -= head;
    return v;
}

// As a browser sends: masked.
static void tell(const visitor* v, int first, const void* data, size_t bytes)
{
    unsigned char out[256] = {(unsigned char)first, (unsigned char)(0x80 | bytes), 1, 2, 3, 4};
    assert_true(bytes < 126);
    for (size_t i = 0; i < bytes; ++i)
        out[6 + i] = (unsigned char)(((const unsigned char*)data)[i] ^ out[2 + (i & 3)]);
    send_all(v, out, 6 + bytes);
}
static void order(const visitor* v, const char* bytes, size_t count)
{
    tell(v, 0x82, bytes, count);
}

// The next message of the server, taken out of the inbox; its kind, or -1 where it has closed.
static int hear(visitor* v, char* out, size_t room)
{
    for (;;) {
        size_t at = 2, length = v->bytes > 1 ? v->data[1] : 0,
               wide = length == 126   ? 2
                      : length == 127 ? 8
                                      : 0;
        if (v->bytes >= 2 + wide) {
            if (wide) length = 0;
            for (size_t i = 0; i < wide; ++i) length = length << 8 | v->data[at++];
            if (v->bytes >= at + length && v->bytes >= 2) {
                int kind = v->data[0] & 15;
                size_t kept = length < room - 1 ? length : room - 1;
                memcpy(out, v->data + at, kept);
                out[kept] = 0;
                memmove(v->data, v->data + at + length, v->bytes - at - length);
                v->bytes -= at + length;
                return kind;
            }
        }
        if (!receive(v)) return -1;
    }
}

// Waits for a text with a part in it, or, with NULL, for a frame; everything else is thrown away.
static void await(visitor* v, const char* part, char out[4096])
{
    for (int i = 0; i < 2000; ++i) {
        int kind = hear(v, out, 4096);
        if (kind < 0)
            fail_msg("the server has closed, and did not say '%s'", part ? part : "a frame");
        if (part && kind == WEBSOCKET_TEXT && strstr(out, part)) return;
        uint32_t what;
        memcpy(&what, out, sizeof what);
        if (!part && kind == WEBSOCKET_BYTES && what == 2) return;
        if (kind == WEBSOCKET_BYTES && what == 2) order(v, "\x0a\0\0\0\0", 5); // it is shown
    }
    fail_msg("2000 messages without '%s'", part ? part : "a frame");
}

// ---- requests -----------------------------------------------------------------------------------

static void sha_1_is_that_of_its_standard(void** state)
{
    (void)state;
    static const unsigned char expected[] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
                                             0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
                                             0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
    unsigned char out[SHA1_BYTES];
    sha1("abc", 3, out);
    assert_memory_equal(out, expected, sizeof out);
}

static void the_handshake_is_that_of_its_standard(void** state)
{
    (void)state;
    sink out = {0};
    websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", &out);
    assert_int_equal(out.bytes, 28);
    assert_memory_equal(out.data, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", 28);
    sink_release(&out);
}

static void nothing_is_given_without_the_token(void** state)
{
    (void)state;
    static const char* const words[] = {"", "token-of-the-tesT", "token-of-the-test1"};
    running* r = begin();
    for (int i = 0; i < 3; ++i) {
        visitor* v = visit(r);
        ask(v, i == 1 ? "/live" : "/", words[i], "");
        assert_non_null(strstr(answer_of(v), "403 Forbidden"));
        assert_non_null(strstr((char*)v->data, "token"));
        leave(v);
    }
    end(r);
}

static void the_page_is_given_to_those_with_the_token(void** state)
{
    (void)state;
    running* r = begin();
    visitor* v = visit(r);
    ask(v, "/", token, "");
    const char* text = answer_of(v);
    assert_non_null(strstr(text, page_bytes ? "200 OK" : "built without the page"));
    if (page_bytes) assert_non_null(strstr(text, "<!doctype html>"));
    leave(v);
    end(r);
}

static void other_requests_get_a_sentence(void** state)
{
    (void)state;
    static const char* const requests[][2] = {
        {"POST / HTTP/1.1\r\n\r\n", "only GET"},
        {"GET /\x01 HTTP/1.1\r\n\r\n", "broken"},
        {"GET /nowhere?token=token-of-the-test HTTP/1.1\r\n\r\n", "nothing at this address"},
        {"GET /file/../secret?token=token-of-the-test HTTP/1.1\r\n\r\n", "no recording"},
        {"GET /live?token=token-of-the-test HTTP/1.1\r\n\r\n", "WebSocket"},
    };
    running* r = begin();
    for (int i = 0; i < 5; ++i) {
        visitor* v = visit(r);
        send_all(v, requests[i][0], strlen(requests[i][0]));
        if (!strstr(answer_of(v), requests[i][1])) fail_msg("%s: %s", requests[i][0], v->data);
        leave(v);
    }
    visitor* v = visit(r);
    char* longer = (char*)malloc(20000);
    memset(longer, 'a', 20000);
    send_all(v, longer, 20000);
    assert_non_null(strstr(answer_of(v), "too long"));
    free(longer);
    leave(v);
    end(r);
}

// ---- pages --------------------------------------------------------------------------------------

static void a_page_hears_the_scene_and_sees_it_move(void** state)
{
    (void)state;
    char text[4096];
    running* r = begin();
    visitor* v = enter(r);
    frame_head first, later;
    float height[2];
    await(v, "\"kind\":\"scene\"", text);
    assert_non_null(strstr(text, "\"name\":\"stiffness\""));
    await(v, NULL, text);
    memcpy(&first, text, sizeof first);
    memcpy(&height[0], text + sizeof first + 4, 4);
    do {
        order(v, "\x0a\0\0\0\0", 5);
        await(v, NULL, text);
        memcpy(&later, text, sizeof later);
    } while (later.step < first.step + 10);
    memcpy(&height[1], text + sizeof first + 4, 4);
    assert_true(later.number > first.number);
    assert_true(height[1] < height[0]);
    leave(v);
    end(r);
}

static void a_page_pauses_steps_and_resets(void** state)
{
    (void)state;
    char text[4096];
    running* r = begin();
    visitor* v = enter(r);
    order(v, "\x01\x01", 2);
    await(v, "\"paused\":true", text);
    order(v, "\x03", 1);
    await(v, "\"step\":0,", text);
    char* start = strstr(text, "\"digest\"");
    assert_non_null(start);
    char digest[32];
    snprintf(digest, sizeof digest, "%.27s", start);
    order(v, "\x02\x07\0", 3);
    await(v, "\"step\":7,", text);
    assert_null(strstr(text, digest));
    order(v, "\x03", 1);
    await(v, "\"step\":0,", text);
    assert_non_null(strstr(text, digest));
    leave(v);
    end(r);
}

static void one_page_steers_and_another_can_take_over(void** state)
{
    (void)state;
    char text[4096];
    running* r = begin();
    visitor* a = enter(r);
    await(a, "\"steers\":true", text);
    visitor* b = enter(r);
    await(b, "\"steers\":false", text);
    order(b, "\x01\x01", 2);
    await(b, "another page steers", text);
    order(b, "\x0b", 1);
    await(b, "\"steers\":true", text);
    await(a, "\"steers\":false", text);
    leave(b);
    await(a, "\"steers\":true", text); // who is left
    leave(a);
    end(r);
}

static void a_page_that_does_not_show_its_frames_gets_no_more_of_them(void** state)
{
    (void)state;
    char text[4096];
    running* r = begin();
    visitor* v = enter(r);
    int frames = 0, kind;
    // Two are on the way at most, however long it goes on.
    do {
        kind = hear(v, text, sizeof text);
        uint32_t what;
        memcpy(&what, text, sizeof what);
        frames += kind == WEBSOCKET_BYTES && what == 2;
    } while (kind >= 0 && !strstr(text, "\"step\":12"));
    assert_int_equal(frames, CLIENT_MOST_FRAMES);
    leave(v);
    end(r);
}

// ---- bad messages -------------------------------------------------------------------------------

static unsigned char noise(uint64_t* random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(*random >> 56);
}

static void malformed_messages_are_refused_and_the_server_goes_on(void** state)
{
    (void)state;
    char text[4096];
    uint64_t random = 7;
    running* r = begin();
    visitor* good = enter(r);
    visitor* v = enter(r);
    for (int i = 0; i < 150; ++i) { // of the right form, with nonsense in it
        unsigned char data[40];
        size_t bytes = 1 + noise(&random) % 39u;
        for (size_t k = 0; k < bytes; ++k) data[k] = noise(&random);
        if (bytes <= MESSAGE_MOST_BYTES) {
            data[0] = (unsigned char)(MESSAGE_END + data[0] % 200u);
            order(v, (const char*)data, bytes);
            await(v, "there is no message", text);
        }
    }
    for (int i = 0; i < 150; ++i) { // not even that
        visitor* bad = enter(r);
        unsigned char data[64];
        for (size_t k = 0; k < sizeof data; ++k) data[k] = noise(&random);
        data[0] = (unsigned char)(i % 2 ? 0x82 : data[0]);
        data[1] = (unsigned char)(i % 2 ? data[1] & 127 : data[1]); // not masked
        send_all(bad, data, sizeof data);
        if (i % 2)
            while (hear(bad, text, sizeof text) >= 0) {
            }
        leave(bad);
    }
    order(v, "\x0b", 1);
    await(v, "\"steers\":true", text);
    order(v, "\x01\x01", 2);
    await(good, "\"paused\":true", text);
    leave(v);
    leave(good);
    end(r);
}

static void a_message_that_is_too_long_closes_with_a_sentence(void** state)
{
    (void)state;
    char text[4096] = "";
    running* r = begin();
    visitor* v = enter(r);
    static const unsigned char head[] = {0x82, 0xfe, 0x40, 0, 1, 2, 3, 4};
    send_all(v, head, sizeof head);
    int kind;
    while ((kind = hear(v, text, sizeof text)) >= 0 && kind != WEBSOCKET_CLOSE) {
    }
    assert_int_equal(kind, WEBSOCKET_CLOSE);
    assert_non_null(strstr(text + 2, "too long"));
    leave(v);
    end(r);
}

// Bytes of any kind through all that reads them, by the hundred thousand.
static void readers_of_what_comes_withstand_noise(void** state)
{
    (void)state;
    uint64_t random = 11;
    static const char model[] = "GET /live?token=abc HTTP/1.1\r\nUpgrade: websocket\r\n"
                                "Sec-WebSocket-Key: abc\r\n\r\n";
    for (int i = 0; i < by_scope(20000, 100000, 1000000); ++i) {
        unsigned char data[sizeof model];
        memcpy(data, model, sizeof model);
        for (int k = 0; k < 1 + i % 5; ++k) data[noise(&random) % sizeof data] = noise(&random);
        request asked;
        size_t length = request_length((const char*)data, sizeof data);
        if (length && request_read((const char*)data, length, &asked))
            assert_true(pliant_error_text()[0]);
        for (size_t k = 0; k < 16; ++k) data[k] = noise(&random);
        websocket_message m;
        size_t used = 0;
        int code = 0;
        if (websocket_read(data, (size_t)i % sizeof data, 25, &m, &used, &code) == WEBSOCKET_WHOLE)
            assert_true(used <= sizeof data && m.bytes <= 125);
    }
}

// ---- the program --------------------------------------------------------------------------------

static void the_program_refuses_with_a_sentence(void** state)
{
    (void)state;
    int listener, port;
    char arguments[128];
    CHECK_OK(net_listen("127.0.0.1", 0, &listener, &port));
    snprintf(arguments, sizeof arguments, "view hang --port %d", port);
    check_complaint(arguments, 1, "is in use");
    net_close(listener);
    check_complaint("view hang --port 0 --set frames=0", 1, "no frames");
    check_complaint("view hang --port 0 --bind nowhere", 1, "no address");
    check_complaint("view hang --port 70000", 2, "--port");
    check_complaint("view hang --token 'a b'", 2, "--token");
    check_complaint("view nosuchscene", 1, "neither a file nor a scene");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha_1_is_that_of_its_standard),
        cmocka_unit_test(the_handshake_is_that_of_its_standard),
        cmocka_unit_test(nothing_is_given_without_the_token),
        cmocka_unit_test(the_page_is_given_to_those_with_the_token),
        cmocka_unit_test(other_requests_get_a_sentence),
        cmocka_unit_test(a_page_hears_the_scene_and_sees_it_move),
        cmocka_unit_test(a_page_pauses_steps_and_resets),
        cmocka_unit_test(one_page_steers_and_another_can_take_over),
        cmocka_unit_test(a_page_that_does_not_show_its_frames_gets_no_more_of_them),
        cmocka_unit_test(malformed_messages_are_refused_and_the_server_goes_on),
        cmocka_unit_test(a_message_that_is_too_long_closes_with_a_sentence),
        cmocka_unit_test(readers_of_what_comes_withstand_noise),
        cmocka_unit_test(the_program_refuses_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
