// Which contacts of rigid bodies there are in a pass, and which color their manifolds have.
#pragma once
#include "contact/system.h"

// From the contacts that press in this pass, or those that bounce, and nothing else. False when
// memory runs out.
bool manifolds_make(contact_system* s, bool bounces);
