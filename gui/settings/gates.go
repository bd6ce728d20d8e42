package settings

import (
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// fillGatesPage asks what may leave this computer, by where it comes from.
func fillGatesPage(p *page) {
	p.card(kit.NewHint(i18n.T("What holds for what you hand over from now on. What waits in the inbox keeps what it came with.")),
		gateRow(p, SettingGateFiles, i18n.T("Files that you drop, choose or paste"), "",
			func(s *config.Settings) *config.Gate { return &s.Gates.Files }).root)
	p.card(gateRow(p, SettingGateLinks, i18n.T("Links"), i18n.T("The service fetches what a link points at: whoever runs that site may see it."),
		func(s *config.Settings) *config.Gate { return &s.Gates.Links }).root)
	p.card(folderGateRow(p).root)
}

func folderGateRow(p *page) *row {
	return gateRow(p, SettingGateFolders, i18n.T("Folders that you watch from now on"),
		i18n.T("What a new watched folder begins with. Each one has a choice of its own, under Folders."),
		func(s *config.Settings) *config.Gate { return &s.Gates.Folders })
}

// fillFoldersPage asks what watched folders begin with, and leads to them.
func fillFoldersPage(p *page) {
	p.card(folderGateRow(p).root,
		container.New(&kit.Flow{}, kit.NewButton(kit.Plain, i18n.T("Show the watched folders"), look.IconFolders, p.settings.ShowFolders)))
}

// fillSendingPage asks how many are sent at a time.
func fillSendingPage(p *page) {
	p.card(choiceRow(p, SettingUploads, i18n.T("Files uploaded at a time"),
		i18n.T("More are faster where many small files are sent over a good line. On a slow or shaky one, 1 is best."),
		UploadChoices(), i18n.Count, func(s *config.Settings) *int { return &s.Uploads }).root)
}
