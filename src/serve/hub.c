#include "serve/hub.h"
#include "base/memory.h"
#include "serve/websocket.h"
#include "system/net.h"
#include <stdio.h>
#include <string.h>

bool hub_open(hub* h, const char* folder)
{
    memset(h, 0, sizeof *h);
    h->folder = folder;
    h->lock = platform_mutex_create();
    if (!h->lock) return false;
    if (net_bell_open(h->network_bell)) {
        if (net_bell_open(h->simulation_bell)) return true;
        net_bell_close(h->network_bell);
    }
    platform_mutex_destroy(h->lock);
    h->lock = NULL;
    return false;
}

void hub_close(hub* h)
{
    if (!h->lock) return;
    said* const all[] = {&h->scene, &h->topology, &h->frame, &h->status};
    for (int i = 0; i < 4; ++i) packet_drop(h, all[i]->packet);
    net_bell_close(h->network_bell);
    net_bell_close(h->simulation_bell);
    platform_mutex_destroy(h->lock);
    memset(h, 0, sizeof *h);
}

// ---- packets ------------------------------------------------------------------------------------

void packet_begin(sink* bytes, size_t room)
{
    *bytes = (sink){0};
    sink_room(bytes, room + WEBSOCKET_HEAD);
    if (!bytes->failed) bytes->bytes = WEBSOCKET_HEAD;
}

packet* packet_of(sink* bytes, int kind)
{
    packet* p = bytes->failed ? NULL : (packet*)mem_alloc_zero(sizeof *p);
    if (!p) {
        sink_release(bytes);
        return NULL;
    }
    unsigned char head[WEBSOCKET_HEAD];
    int length = kind ? websocket_head(kind, bytes->bytes - WEBSOCKET_HEAD, head) : 0;
    *p = (packet){1, *bytes, (size_t)(WEBSOCKET_HEAD - length)};
    memcpy(p->bytes.data + p->first, head, (size_t)length);
    *bytes = (sink){0};
    return p;
}

packet* packet_of_text(const char* text)
{
    sink bytes;
    packet_begin(&bytes, strlen(text));
    sink_text(&bytes, text);
    return packet_of(&bytes, WEBSOCKET_TEXT);
}

void packet_hold(hub* h, packet* p)
{
    platform_mutex_lock(h->lock);
    p->references += 1;
    platform_mutex_unlock(h->lock);
}

void packet_drop(hub* h, packet* p)
{
    if (!p) return;
    platform_mutex_lock(h->lock);
    bool last = --p->references == 0;
    platform_mutex_unlock(h->lock);
    if (!last) return;
    sink_release(&p->bytes);
    mem_free(p);
}

// ---- what is said -------------------------------------------------------------------------------

void hub_say(hub* h, said* what, packet* p)
{
    if (!p) return;
    platform_mutex_lock(h->lock);
    packet* before = what->packet;
    what->packet = p;
    what->number += 1;
    platform_mutex_unlock(h->lock);
    packet_drop(h, before);
    net_bell_ring(h->network_bell);
}

packet* hub_hear(hub* h, const said* what, uint32_t* number)
{
    packet* p = NULL;
    platform_mutex_lock(h->lock);
    if (what->packet && what->number != *number) {
        p = what->packet;
        p->references += 1;
        *number = what->number;
    }
    platform_mutex_unlock(h->lock);
    return p;
}

// ---- orders -------------------------------------------------------------------------------------

bool hub_order(hub* h, const message* m)
{
    platform_mutex_lock(h->lock);
    message* last = h->order_count ? &h->order[h->order_count - 1] : NULL;
    bool again = last && last->kind == m->kind &&
                 (m->kind == MESSAGE_DRAG || (m->kind == MESSAGE_SET && last->number == m->number));
    bool room = again || h->order_count < HUB_MOST_ORDERS;
    if (again)
        *last = *m;
    else if (room)
        h->order[h->order_count++] = *m;
    platform_mutex_unlock(h->lock);
    net_bell_ring(h->simulation_bell);
    return room;
}

bool hub_take(hub* h, message* out)
{
    platform_mutex_lock(h->lock);
    bool any = h->order_count > 0;
    if (any) {
        *out = h->order[0];
        memmove(h->order, h->order + 1, (size_t)--h->order_count * sizeof *h->order);
    }
    platform_mutex_unlock(h->lock);
    return any;
}

void hub_want_frame(hub* h, bool wanted)
{
    platform_mutex_lock(h->lock);
    bool news = wanted && !h->frame_wanted;
    h->frame_wanted = wanted;
    platform_mutex_unlock(h->lock);
    if (news) net_bell_ring(h->simulation_bell);
}

bool hub_wants_frame(hub* h)
{
    platform_mutex_lock(h->lock);
    bool wanted = h->frame_wanted;
    platform_mutex_unlock(h->lock);
    return wanted;
}

void hub_end(hub* h)
{
    platform_mutex_lock(h->lock);
    h->ended = true;
    platform_mutex_unlock(h->lock);
    net_bell_ring(h->network_bell);
}

bool hub_has_ended(hub* h)
{
    platform_mutex_lock(h->lock);
    bool ended = h->ended;
    platform_mutex_unlock(h->lock);
    return ended;
}

// ---- files --------------------------------------------------------------------------------------

void hub_add_file(hub* h, const char* name)
{
    platform_mutex_lock(h->lock);
    if (h->file_count < HUB_MOST_FILES) snprintf(h->file[h->file_count++], HUB_NAME, "%s", name);
    platform_mutex_unlock(h->lock);
}

bool hub_has_file(hub* h, const char* name)
{
    bool found = false;
    platform_mutex_lock(h->lock);
    for (int i = 0; i < h->file_count && !found; ++i) found = strcmp(h->file[i], name) == 0;
    platform_mutex_unlock(h->lock);
    return found;
}
