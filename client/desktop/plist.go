package desktop

import (
	"encoding/xml"
	"strings"
)

// launchAgent is the file by which macOS starts a program when the person logs in.
func launchAgent(program string, arguments []string) (string, error) {
	var command strings.Builder
	for _, part := range append([]string{program}, arguments...) {
		if !plain(part) {
			return "", errName
		}
		command.WriteString("\n\t\t<string>")
		if err := xml.EscapeText(&command, []byte(part)); err != nil {
			return "", err
		}
		command.WriteString("</string>")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + appID + `</string>
	<key>ProgramArguments</key>
	<array>` + command.String() + `
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`, nil
}
