//go:build !x11 || wayland

package gui

/*
#cgo pkg-config: wayland-client
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

// xdg_activation_v1, the protocol by which a program that was started or clicked hands another one the right to come to the front: its requests and
// events in their order.
static const struct wl_message token_requests[] = {{"set_serial", "uo", NULL}, {"set_app_id", "s", NULL}, {"set_surface", "o", NULL}, {"commit", "", NULL}, {"destroy", "", NULL}};
static const struct wl_interface *token_text[] = {NULL};
static const struct wl_message token_events[] = {{"done", "s", token_text}};
static const struct wl_interface token_interface = {"xdg_activation_token_v1", 1, 5, token_requests, 1, token_events};
static const struct wl_interface *new_token[] = {&token_interface};
static const struct wl_interface *text_and_surface[] = {NULL, &wl_surface_interface};
static const struct wl_message activation_requests[] = {{"destroy", "", NULL}, {"get_activation_token", "n", new_token}, {"activate", "so", text_and_surface}};
static const struct wl_interface activation_interface = {"xdg_activation_v1", 1, 3, activation_requests, 0, NULL};
enum { TOKEN_COMMIT = 3, TOKEN_DESTROY = 4, ACTIVATION_DESTROY = 0, ACTIVATION_TOKEN = 1, ACTIVATION_ACTIVATE = 2 };

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	struct wl_proxy **activation = data;
	(void)version;
	if (!*activation && strcmp(interface, activation_interface.name) == 0)
		*activation = wl_registry_bind(registry, name, &activation_interface, 1);
}
static void gone(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }
static const struct wl_registry_listener registry_listener = {found, gone};

static void token_done(void *data, struct wl_proxy *proxy, const char *token) {
	(void)proxy;
	*(char **)data = strdup(token);
}
static void (*const token_listener[])(void) = {(void (*)(void))token_done};

// activate asks for the front for a window with a token. An empty one stands for a token of the window's own, with which the desktop only says that the
// window wants to be looked at. It has a queue of its own, so that no event of the toolkit's is taken.
static void activate(struct wl_display *display, struct wl_surface *surface, const char *token) {
	struct wl_proxy *activation = NULL;
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_display *wrapped = wl_proxy_create_wrapper(display);
	wl_proxy_set_queue((struct wl_proxy *)wrapped, queue);
	struct wl_registry *registry = wl_display_get_registry(wrapped);
	wl_proxy_wrapper_destroy(wrapped);
	wl_registry_add_listener(registry, &registry_listener, &activation);
	if (wl_display_roundtrip_queue(display, queue) >= 0 && activation) {
		char *own = NULL;
		if (!*token) {
			struct wl_proxy *request = wl_proxy_marshal_constructor(activation, ACTIVATION_TOKEN, &token_interface, NULL);
			wl_proxy_add_listener(request, (void (**)(void))token_listener, &own);
			wl_proxy_marshal(request, TOKEN_COMMIT);
			wl_display_roundtrip_queue(display, queue);
			wl_proxy_marshal(request, TOKEN_DESTROY);
			wl_proxy_destroy(request);
		}
		if (*token || own)
			wl_proxy_marshal(activation, ACTIVATION_ACTIVATE, own ? own : token, surface);
		free(own);
		wl_proxy_marshal(activation, ACTIVATION_DESTROY);
	}
	if (activation)
		wl_proxy_destroy(activation);
	wl_registry_destroy(registry);
	wl_event_queue_destroy(queue);
	wl_display_flush(display);
}
*/
import "C"

import (
	"unsafe"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.4/glfw"
)

// comeToFront asks the desktop to bring a window to the front that is on Wayland, where the toolkit can't. The desktop does so for a token that it has
// given to a program which the person has just started; without one it marks the window as one that wants to be looked at. It belongs to the UI thread,
// and waits for the compositor as the toolkit does all the time: some tenths of a millisecond.
func comeToFront(w fyne.Window, token string) {
	native, ok := w.(driver.NativeWindow)
	if !ok {
		return
	}
	native.RunNative(func(window any) {
		if on, ok := window.(driver.WaylandWindowContext); ok && on.WaylandSurface != 0 {
			text := C.CString(token)
			defer C.free(unsafe.Pointer(text))
			surface := *(**C.struct_wl_surface)(unsafe.Pointer(&on.WaylandSurface)) // C's memory
			C.activate((*C.struct_wl_display)(unsafe.Pointer(glfw.GetWaylandDisplay())), surface, text)
		}
	})
}
