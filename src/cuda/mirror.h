// Memory of states on the device: the mirror image of a store's chunk, and an arena for what only
// one body has there.
#pragma once
#include "cuda/device_internal.h"

// The image of a chunk of the store, with one user more. It is cleared when it is made.
pliant_result mirror_open(device* d, store_chunk* c);
void mirror_close(device* d, store_chunk* c);

// Keeps all rows as they are, on the device's stream; and puts them back.
cudaError_t mirror_keep(device* d, const store_chunk* c);
cudaError_t mirror_take_back(device* d, const store_chunk* c);

// Where an array of a slice is there.
void* mirror_array(const store_slice* s, store_array a);

// A body's state: rows in the image, the rest from the arena.
pliant_result create_state(device* d, const state* s, const plan_parts* parts, int iterations,
                           device_copy* c);
void discard_state(device* d, device_copy* c);
// Keeps what has flowed of a body, as mirror_keep does rows; and puts it back where it was kept.
cudaError_t flow_keep(device* d, device_copy* c);
cudaError_t flow_take_back(device* d, const device_copy* c);
// Likewise of its clusters (clusters.c).
void clusters_list(const cluster_set* c, int iterations, cluster_state* out, layout* l);
cudaError_t clusters_keep(device* d, device_copy* c);
cudaError_t clusters_take_back(device* d, const device_copy* c);
void clusters_forget(device* d, device_copy* c);

// Cleared memory. It goes back when the whole block is free.
pliant_result arena_take(device* d, size_t bytes, void** out, arena_block** out_block);
void arena_give_back(device* d, arena_block* block); // NULL is fine
void arena_destroy(device* d);
