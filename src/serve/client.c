#include "serve/client.h"
#include "base/memory.h"
#include "serve/page.h"
#include "serve/websocket.h"
#include "system/net.h"
#include <stdio.h>
#include <string.h>

client* client_create(int socket, double now)
{
    client* c = (client*)mem_alloc_zero(sizeof *c);
    if (!c) return NULL;
    c->socket = socket;
    c->since = now;
    return c;
}

void client_destroy(client* c, hub* h)
{
    for (int i = 0; i < c->out_count; ++i) packet_drop(h, c->out[i]);
    net_close(c->socket);
    mem_free(c);
}

// Takes the packet; NULL: memory ran out, and there is nothing to say.
static void put(client* c, hub* h, packet* p)
{
    if (p && c->out_count < CLIENT_MOST_OUT)
        c->out[c->out_count++] = p;
    else
        packet_drop(h, p);
}

void client_tell(client* c, const house* at, const char* text)
{
    put(c, at->hub, packet_of_text(text));
}

// ---- requests -----------------------------------------------------------------------------------

static void begin_answer(sink* out, const char* status, const char* type, size_t bytes)
{
    packet_begin(out, bytes + 512);
    sink_print(out,
               "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
               "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
               "Referrer-Policy: no-referrer\r\n\r\n",
               status, type, bytes);
}

static void answer(client* c, const house* at, const char* status, const char* type,
                   const void* data, size_t bytes)
{
    sink out;
    begin_answer(&out, status, type, bytes);
    sink_bytes(&out, data, bytes);
    put(c, at->hub, packet_of(&out, 0));
    c->closing = true;
}

void client_turn_away(client* c, const house* at, const char* status, const char* why)
{
    char text[512];
    int length = snprintf(text, sizeof text, "%s\n", why);
    answer(c, at, status, "text/plain; charset=utf-8", text, (size_t)length);
}

static void welcome(client* c, const house* at, const request* r)
{
    sink out;
    if (!r->wants_socket || !r->key[0]) {
        client_turn_away(c, at, "400 Bad Request", "Here pages meet the simulation: a WebSocket.");
        return;
    }
    packet_begin(&out, 512);
    sink_text(&out, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Accept: ");
    websocket_accept(r->key, &out);
    sink_text(&out, "\r\n\r\n");
    put(c, at->hub, packet_of(&out, 0));
    c->page = true;
}

static void give_page(client* c, const house* at)
{
    if (page_bytes)
        answer(c, at, "200 OK", "text/html; charset=utf-8", page_html, page_bytes);
    else
        client_turn_away(c, at, "503 Service Unavailable",
                         "This program was built without the page: its build needs node and npm.");
}

static void give_file(client* c, const house* at, const char* name)
{
    char path[4096];
    void* data = NULL;
    size_t bytes = 0;
    snprintf(path, sizeof path, "%s/%s", at->hub->folder, name);
    if (!hub_has_file(at->hub, name) || platform_read_file(path, &data, &bytes)) {
        client_turn_away(c, at, "404 Not Found", "There is no recording of this name.");
        return;
    }
    const char* dot = strrchr(name, '.');
    answer(c, at, "200 OK", dot && strcmp(dot, ".mp4") == 0 ? "video/mp4" : "model/gltf-binary",
           data, bytes);
    mem_free(data);
}

static void answer_request(client* c, const house* at, size_t length)
{
    static const char files[] = "/file/";
    request r;
    if (request_read((const char*)c->in, length, &r))
        client_turn_away(c, at, "400 Bad Request", pliant_error_text());
    else if (!request_matches(r.token, at->token))
        client_turn_away(c, at, "403 Forbidden",
                         "The address needs the token that the program printed when it began.");
    else if (strcmp(r.path, "/live") == 0)
        welcome(c, at, &r);
    else if (strcmp(r.path, "/") == 0)
        give_page(c, at);
    else if (strncmp(r.path, files, sizeof files - 1) == 0)
        give_file(c, at, r.path + sizeof files - 1);
    else
        client_turn_away(c, at, "404 Not Found", "There is nothing at this address.");
}

// ---- messages -----------------------------------------------------------------------------------

static void refuse_message(client* c, const house* at)
{
    sink out;
    packet_begin(&out, 256);
    sink_text(&out, "{\"kind\":\"refused\",\"why\":");
    sink_json(&out, pliant_error_text());
    sink_text(&out, "}");
    put(c, at->hub, packet_of(&out, WEBSOCKET_TEXT));
}

static void end_connection(client* c, const house* at, int code, const char* why)
{
    unsigned char text[125];
    size_t length = strlen(why);
    sink out;
    if (length > sizeof text - 2) length = sizeof text - 2;
    packet_begin(&out, sizeof text);
    sink_u8(&out, (uint8_t)(code >> 8));
    sink_u8(&out, (uint8_t)(code & 255));
    sink_bytes(&out, why, length);
    put(c, at->hub, packet_of(&out, WEBSOCKET_CLOSE));
    c->closing = true;
}

static void obey(client* c, const house* at, const message* m)
{
    if (m->kind == MESSAGE_SHOWN) {
        if (c->frames_on_the_way > 0) c->frames_on_the_way -= 1;
    } else if (m->kind == MESSAGE_STEER) {
        c->wants_to_steer = true;
    } else if (!c->steers) {
        fail(PLIANT_ERROR_ARGUMENT, "another page steers: this one watches, until it takes over");
        refuse_message(c, at);
    } else if (!hub_order(at->hub, m)) {
        end_connection(c, at, 1008, "too many messages wait already");
    }
}

static void take_message(client* c, const house* at, const websocket_message* m)
{
    message told;
    sink out;
    if (m->kind == WEBSOCKET_CLOSE) {
        end_connection(c, at, 1000, "");
    } else if (m->kind == WEBSOCKET_PING) {
        packet_begin(&out, m->bytes);
        sink_bytes(&out, m->data, m->bytes);
        put(c, at->hub, packet_of(&out, WEBSOCKET_PING + 1));
    } else if (m->kind == WEBSOCKET_BYTES) {
        if (message_read(m->data, m->bytes, &told))
            refuse_message(c, at);
        else
            obey(c, at, &told);
    }
}

// How many bytes of its inbox it used; 0: it waits for more.
static size_t take_one(client* c, const house* at)
{
    websocket_message m;
    size_t used = 0;
    int code = 0;
    switch (websocket_read(c->in, c->in_bytes, MESSAGE_MOST_BYTES, &m, &used, &code)) {
    case WEBSOCKET_WHOLE:
        take_message(c, at, &m);
        break;
    case WEBSOCKET_REFUSED:
        end_connection(c, at, code, pliant_error_text());
        break;
    case WEBSOCKET_MORE:
        break;
    }
    return used;
}

static size_t take_request(client* c, const house* at)
{
    size_t length = request_length((const char*)c->in, c->in_bytes);
    if (length)
        answer_request(c, at, length);
    else if (c->in_bytes == sizeof c->in)
        client_turn_away(c, at, "431 Request Header Fields Too Large", "The request is too long.");
    return length;
}

void client_read(client* c, const house* at)
{
    ptrdiff_t got = net_read(c->socket, c->in + c->in_bytes, sizeof c->in - c->in_bytes);
    if (got < 0) c->gone = true;
    if (got <= 0) return;
    c->in_bytes += (size_t)got;
    if (c->closing) c->in_bytes = 0; // nobody listens any more
    for (size_t used = 1; used > 0 && c->in_bytes > 0 && !c->closing;) {
        used = c->page ? take_one(c, at) : take_request(c, at);
        memmove(c->in, c->in + used, c->in_bytes - used);
        c->in_bytes -= used;
    }
}

// ---- what goes out ------------------------------------------------------------------------------

static void hear(client* c, hub* h, const said* what, uint32_t* number)
{
    packet* p = hub_hear(h, what, number);
    if (p) put(c, h, p);
}

static void hear_all(client* c, hub* h)
{
    if (!c->page || c->closing || c->out_count > CLIENT_MOST_OUT - 4) return;
    uint32_t before = c->frame;
    hear(c, h, &h->scene, &c->scene);
    hear(c, h, &h->topology, &c->topology);
    if (c->out_count < 3) hear(c, h, &h->status, &c->status);
    if (c->topology && client_has_room(c)) hear(c, h, &h->frame, &c->frame);
    c->frames_on_the_way += c->frame != before;
}

void client_write(client* c, const house* at)
{
    hear_all(c, at->hub);
    while (c->out_count > 0) {
        packet* p = c->out[0];
        size_t first = p->first + c->out_bytes;
        ptrdiff_t sent = net_write(c->socket, p->bytes.data + first, p->bytes.bytes - first);
        if (sent < 0) c->gone = true;
        if (sent <= 0) return;
        c->out_bytes += (size_t)sent;
        if (first + (size_t)sent < p->bytes.bytes) return;
        packet_drop(at->hub, p);
        memmove(c->out, c->out + 1, (size_t)--c->out_count * sizeof *c->out);
        c->out_bytes = 0;
    }
}
