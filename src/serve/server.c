#include "serve/server.h"
#include "base/memory.h"
#include "system/net.h"
#include <stdio.h>
#include <string.h>

enum { MOST_CLIENTS = 48 };
static const double patience = 10; // [s] for a request

struct server {
    house house;
    int listener;
    client* client[MOST_CLIENTS]; // in the order in which they came
    int count;
    bool steered; // one of them steers
    platform_thread* thread;
};

// ---- who comes and goes -------------------------------------------------------------------------

static void accept_all(server* s)
{
    for (int socket = net_accept(s->listener); socket >= 0; socket = net_accept(s->listener)) {
        client* c = s->count < MOST_CLIENTS ? client_create(socket, platform_seconds()) : NULL;
        if (c)
            s->client[s->count++] = c;
        else
            net_close(socket);
    }
}

static int count_pages(const server* s)
{
    int pages = 0;
    for (int i = 0; i < s->count; ++i) pages += s->client[i]->page && !s->client[i]->closing;
    return pages;
}

static void tell_roles(server* s)
{
    char text[96];
    int pages = count_pages(s);
    for (int i = 0; i < s->count; ++i) {
        client* c = s->client[i];
        if (!c->page || c->closing) continue;
        snprintf(text, sizeof text, "{\"kind\":\"role\",\"steers\":%s,\"pages\":%d}",
                 c->steers ? "true" : "false", pages);
        client_tell(c, &s->house, text);
    }
}

static void let_go(server* s)
{
    const message m = {.kind = MESSAGE_LET_GO};
    hub_order(s->house.hub, &m);
}

// One steers: who asked for it last, or else who came first. Whether it is another one than before.
static bool choose_steerer(server* s)
{
    client *now = NULL, *next = NULL;
    for (int i = 0; i < s->count; ++i) {
        client* c = s->client[i];
        bool can = c->page && !c->closing && !c->gone;
        if (c->steers && can) now = c;
        if (can && (!next || c->wants_to_steer)) next = c;
        if (can && c->wants_to_steer) now = NULL;
        c->wants_to_steer = false;
    }
    if (!now) now = next;
    if (now ? now->steers : !s->steered) return false;
    for (int i = 0; i < s->count; ++i) s->client[i]->steers = s->client[i] == now;
    s->steered = now != NULL;
    let_go(s);
    return true;
}

static bool is_over(const client* c, double now)
{
    if (c->gone) return true;
    if (c->closing && (c->out_count == 0 || now - c->since > 60)) return true;
    return !c->page && !c->closing && now - c->since > patience;
}

static void remove_those_over(server* s)
{
    int kept = 0;
    double now = platform_seconds();
    for (int i = 0; i < s->count; ++i) {
        if (is_over(s->client[i], now))
            client_destroy(s->client[i], s->house.hub);
        else
            s->client[kept++] = s->client[i];
    }
    s->count = kept;
}

// ---- the thread ---------------------------------------------------------------------------------

static void wait_for_all(server* s, bool readable[MOST_CLIENTS])
{
    net_watch list[MOST_CLIENTS + 2] = {{.socket = s->listener},
                                        {.socket = s->house.hub->network_bell[0]}};
    for (int i = 0; i < s->count; ++i)
        list[i + 2] = (net_watch){s->client[i]->socket, s->client[i]->out_count > 0, false, false};
    net_wait(list, s->count + 2, 1);
    for (int i = 0; i < s->count; ++i) readable[i] = list[i + 2].readable;
    net_bell_clear(s->house.hub->network_bell);
}

static void serve(void* argument)
{
    server* s = (server*)argument;
    int pages = 0;
    while (!hub_has_ended(s->house.hub)) {
        bool readable[MOST_CLIENTS], wanted = false;
        int known = s->count;
        wait_for_all(s, readable);
        for (int i = 0; i < known; ++i)
            if (readable[i]) client_read(s->client[i], &s->house);
        accept_all(s);
        if (choose_steerer(s) || count_pages(s) != pages) tell_roles(s);
        pages = count_pages(s);
        for (int i = 0; i < s->count; ++i) {
            client_write(s->client[i], &s->house);
            wanted = wanted || client_has_room(s->client[i]);
        }
        hub_want_frame(s->house.hub, wanted);
        remove_those_over(s);
    }
}

pliant_result server_start(hub* h, const char* address, int port, const char* token, int* out_port,
                           server** out)
{
    server* s = (server*)mem_alloc_zero(sizeof *s);
    *out = NULL;
    if (!s) return PLIANT_ERROR_MEMORY;
    s->house = (house){h, token};
    s->listener = -1;
    pliant_result result = net_listen(address, port, &s->listener, out_port);
    if (!result) {
        s->thread = platform_thread_start(serve, s);
        if (!s->thread) result = fail(PLIANT_ERROR_UNSUPPORTED, "no thread for the network");
    }
    if (result) {
        net_close(s->listener);
        mem_free(s);
        return result;
    }
    *out = s;
    return PLIANT_OK;
}

void server_stop(server* s)
{
    if (!s) return;
    platform_thread_join(s->thread);
    for (int i = 0; i < s->count; ++i) client_destroy(s->client[i], s->house.hub);
    net_close(s->listener);
    mem_free(s);
}
