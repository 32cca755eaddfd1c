// A scene of a test, built, with its first frame.
#pragma once
#include "check.h"
#include "export/frame.h"
#include "load.h"

typedef struct {
    scene* scene;
    stage stage;
    frame frame;
} staged;

// `name` says where its files are looked for.
static inline staged open_staged(const char* text, const char* name, stage_options options)
{
    staged s = {0};
    CHECK_OK(scene_parse(text, strlen(text), name, &s.scene));
    CHECK_OK(stage_create(s.scene, &options, &s.stage));
    CHECK_OK(frame_create(&s.stage, &s.frame));
    return s;
}

static inline void close_staged(staged* s)
{
    frame_destroy(&s->frame);
    stage_destroy(&s->stage);
    scene_destroy(s->scene);
}
