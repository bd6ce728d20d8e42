Target amd64-unicode ; the 32-bit stub does not run where 32-bit programs don't
; The installer for one person, without an administrator. `build` gives VERSION, NUMBERS, SIZE (in KB), COMPRESSOR, FILES (a folder), SIGN (a program) and OUT.
;   assay-VERSION-windows-x64-setup.exe /S            installs without a question
;   assay-VERSION-windows-x64-setup.exe /S /D=FOLDER  the same, elsewhere (the last argument, without quotes)
;   uninstall.exe /S                                  removes it without a question
; Exit codes: 0 done, 1 cancelled, 2 refused: Assay did not end, or a newer one is installed.

!include MUI2.nsh
!include WordFunc.nsh
!include FileFunc.nsh

!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Assay"

Name "Assay"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Assay"
InstallDirRegKey HKCU "${ENTRY}" InstallLocation ; an upgrade goes where the last one went
RequestExecutionLevel user
SetCompressor ${COMPRESSOR}
SetOverwrite on
ManifestSupportedOS Win10
ManifestDPIAware true
BrandingText "Assay ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define MUI_ICON "${FILES}\assay.ico"
!define MUI_UNICON "${FILES}\assay.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\assay.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English ; the first one is for all other systems
!insertmacro MUI_LANGUAGE SpanishInternational
!insertmacro MUI_LANGUAGE Portuguese
!insertmacro MUI_LANGUAGE PortugueseBR
!insertmacro MUI_LANGUAGE French
!insertmacro MUI_LANGUAGE German
!include languages.nsh

VIProductVersion "${NUMBERS}"
VIAddVersionKey /LANG=${LANG_ENGLISH} ProductName "Assay"
VIAddVersionKey /LANG=${LANG_ENGLISH} FileDescription "Assay setup"
VIAddVersionKey /LANG=${LANG_ENGLISH} FileVersion "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} ProductVersion "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} LegalCopyright "Apache License 2.0"

!finalize '"${SIGN}" "%1"'
!uninstfinalize '"${SIGN}" "%1"'

; EndAssay asks the person's Assay to end. A program that runs can't be written to: that tells whether it has ended.
!macro EndAssay un
Function ${un}EndAssay
	IfFileExists "$INSTDIR\assay.exe" 0 ended
again:
	ExecWait '"$INSTDIR\assay.exe" quit --timeout 20s' $0
	StrCpy $1 0
	IntCmp $0 0 look
	StrCpy $1 40 ; it stays open: no need to wait
look:
	ClearErrors
	FileOpen $0 "$INSTDIR\assay.exe" a
	IfErrors busy
	FileClose $0
	Goto ended
busy:
	Sleep 250
	IntOp $1 $1 + 1
	IntCmp $1 40 0 look ; ten seconds
	MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(StillOpen)" /SD IDCANCEL IDRETRY again
	SetErrorLevel 2
	Quit
ended:
FunctionEnd
!macroend
!insertmacro EndAssay ""
!insertmacro EndAssay "un."

Function .onInit
	ReadRegStr $0 HKCU "${ENTRY}" DisplayVersion
	${VersionCompare} "$0" "${VERSION}" $1
	${If} $0 != ""
	${AndIf} $1 == 1
		MessageBox MB_OK|MB_ICONEXCLAMATION "$(Newer)" /SD IDOK
		SetErrorLevel 2
		Quit
	${EndIf}
FunctionEnd

Section
	SetShellVarContext current
	Call EndAssay
	SetOutPath "$INSTDIR"
	File "${FILES}\assay.exe"
	File "${FILES}\assay.com"
	File "${FILES}\LICENSE.txt"
	File "${FILES}\third-party.txt"
	WriteUninstaller "$INSTDIR\uninstall.exe"
	CreateShortCut "$SMPROGRAMS\Assay.lnk" "$INSTDIR\assay.exe"
	WriteRegStr HKCU "${ENTRY}" DisplayName "Assay"
	WriteRegStr HKCU "${ENTRY}" DisplayVersion "${VERSION}"
	WriteRegStr HKCU "${ENTRY}" DisplayIcon "$INSTDIR\assay.exe"
	WriteRegStr HKCU "${ENTRY}" Publisher "Assay"
	WriteRegStr HKCU "${ENTRY}" InstallLocation "$INSTDIR"
	WriteRegStr HKCU "${ENTRY}" UninstallString '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${ENTRY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${ENTRY}" EstimatedSize ${SIZE}
	WriteRegDWORD HKCU "${ENTRY}" NoModify 1
	WriteRegDWORD HKCU "${ENTRY}" NoRepair 1
SectionEnd

Section un.install
	SetShellVarContext current
	Call un.EndAssay
	ExecWait '"$INSTDIR\assay.exe" entries remove' ; those that start another copy of Assay stay
	Delete "$INSTDIR\assay.exe"
	Delete "$INSTDIR\assay.com"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\third-party.txt"
	Delete "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR" ; stays where it holds anything else
	Delete "$SMPROGRAMS\Assay.lnk"
	; The toolkit's folders, in which Assay keeps nothing.
	RMDir "$APPDATA\fyne\news.assay.Assay"
	RMDir "$APPDATA\fyne"
	RMDir "$LOCALAPPDATA\fyne\news.assay.Assay"
	RMDir "$LOCALAPPDATA\fyne"
	DeleteRegKey HKCU "${ENTRY}"
	IfFileExists "$APPDATA\assay\*.*" 0 nothing
	MessageBox MB_OK|MB_ICONINFORMATION "$(RecordsStay)" /SD IDOK
nothing:
SectionEnd
