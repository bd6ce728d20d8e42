package finder

import (
	"path/filepath"

	"github.com/ebitengine/purego/objc"
)

// delegate is the class of the object that macOS tells of such files. It is that of the library below the toolkit, and answers no such question.
const delegate = "GLFWApplicationDelegate"

// succeeded is NSApplicationDelegateReplySuccess.
const succeeded = 0

// Opened returns the paths of the files that are opened from then on, together those that were opened together. It must be called once, before there is a
// window: the event of the start is sent as soon as macOS has the program's first one.
func Opened() <-chan []string {
	opened := make(chan []string, most)
	// What was given as arguments would come a second time.
	setDefault("NSTreatUnknownArgumentsAsOpen", "NO")
	class := objc.GetClass(delegate)
	if class == 0 {
		return opened
	}
	takes := objc.NewIMP(func(_ objc.ID, _ objc.SEL, application, names objc.ID) {
		if paths := strings(names); len(paths) > 0 {
			select {
			case opened <- paths:
			default: // nobody opens that many by hand
			}
		}
		application.Send(objc.RegisterName("replyToOpenOrPrint:"), succeeded)
	})
	class.AddMethod(objc.RegisterName("application:openFiles:"), takes, "v@:@@")
	return opened
}

// strings are the absolute paths in an NSArray of NSStrings.
func strings(array objc.ID) (paths []string) {
	for i := range objc.Send[uint](array, objc.RegisterName("count")) {
		item := array.Send(objc.RegisterName("objectAtIndex:"), i)
		if path := objc.Send[string](item, objc.RegisterName("UTF8String")); filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// setDefault sets a default of this run, below what the person has set.
func setDefault(name, value string) {
	text := func(s string) objc.ID {
		return objc.ID(objc.GetClass("NSString")).Send(objc.RegisterName("stringWithUTF8String:"), s)
	}
	defaults := objc.ID(objc.GetClass("NSUserDefaults")).Send(objc.RegisterName("standardUserDefaults"))
	dictionary := objc.ID(objc.GetClass("NSDictionary")).Send(objc.RegisterName("dictionaryWithObject:forKey:"), text(value), text(name))
	defaults.Send(objc.RegisterName("registerDefaults:"), dictionary)
}
