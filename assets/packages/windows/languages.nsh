; What the installer says besides its own words, in the languages of Assay.
!macro Say name english spanish portuguese french german
LangString ${name} ${LANG_ENGLISH} "${english}"
LangString ${name} ${LANG_SPANISHINTERNATIONAL} "${spanish}"
LangString ${name} ${LANG_PORTUGUESE} "${portuguese}"
LangString ${name} ${LANG_PORTUGUESEBR} "${portuguese}"
LangString ${name} ${LANG_FRENCH} "${french}"
LangString ${name} ${LANG_GERMAN} "${german}"
!macroend

!insertmacro Say StillOpen \
	"Assay is still open. Close it, then try again." \
	"Assay sigue abierto. Ciérrelo y vuelva a intentarlo." \
	"O Assay ainda está aberto. Feche-o e tente novamente." \
	"Assay est encore ouvert. Fermez-le, puis réessayez." \
	"Assay ist noch geöffnet. Schließen Sie es und versuchen Sie es noch einmal."
!insertmacro Say Newer \
	"A newer Assay ($0) is installed. To go back to ${VERSION}, uninstall it first." \
	"Está instalado un Assay más reciente ($0). Para volver a ${VERSION}, desinstálelo primero." \
	"Está instalado um Assay mais recente ($0). Para voltar ao ${VERSION}, desinstale-o primeiro." \
	"Un Assay plus récent ($0) est installé. Pour revenir à ${VERSION}, désinstallez-le d'abord." \
	"Ein neueres Assay ($0) ist installiert. Um zu ${VERSION} zurückzukehren, deinstallieren Sie es zuerst."
!insertmacro Say RecordsStay \
	"Assay is removed. Your records, settings and log stay in $APPDATA\assay. Delete that folder to be rid of them." \
	"Assay se ha eliminado. Sus registros, ajustes y diario siguen en $APPDATA\assay. Borre esa carpeta para deshacerse de ellos." \
	"O Assay foi removido. Os seus registros, configurações e log continuam em $APPDATA\assay. Apague essa pasta para se desfazer deles." \
	"Assay est supprimé. Vos enregistrements, réglages et journal restent dans $APPDATA\assay. Supprimez ce dossier pour vous en défaire." \
	"Assay ist entfernt. Ihre Aufzeichnungen, Einstellungen und das Protokoll bleiben in $APPDATA\assay. Löschen Sie diesen Ordner, um sie loszuwerden."
