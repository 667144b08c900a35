; Installs PPDM Desktop on Windows for the user who runs this, without rights of an administrator.
; delivery/installer.py writes contents.nsh (texts, figures, the list of files) and starts makensis with NAME, WINDOW,
; COMMAND, PROJECT and LIST, as both installers call them.
;
; The program lies in the folder "program" below the one that is chosen: there is nothing in it but what FILES.sha256
; lists. What is installed is removed file by file; nothing here removes a folder with what it holds.

Target amd64-unicode
; Each file by itself and quickly: all of it as one block of LZMA would be smaller, but packing that takes longer than
; building the program, and what puts files down a second time would have to unpack it all again.
SetCompressor zlib
; The files' own times would make other bytes of the same commit.
SetDateSave off
RequestExecutionLevel user
ManifestDPIAware true

!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include FileFunc.nsh

!define REMOVER "uninstall.exe"
!define APPS "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define CLASSES "Software\Classes"

; What a silent run ends with. 1 is a person who cancelled, 2 what NSIS itself found.
!define IS_RUNNING 3
!define IS_TAKEN 4
!define NOT_WRITTEN 5
!define TOO_OLD 6
!define AT_WORK 7

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${APPS}" "InstallLocation"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_WELCOMEFINISHPAGE_BITMAP_STRETCH AspectFitHeight
!define MUI_ABORTWARNING
!define MUI_WELCOMEPAGE_TEXT "$(Welcome)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\program\${WINDOW}"
!define MUI_FINISHPAGE_RUN_NOTCHECKED
!insertmacro MUI_PAGE_WELCOME
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE SeePlace
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

Var Place
Var Before
Var Code
Var Problem

; From here: languages and texts, VERSION, NUMBERS, SIZE, PUBLISHER, OLDEST, the macros PutFiles, RemoveFiles, SupportedTypes.
!include "${CONTENTS}"

BrandingText "${NAME} ${VERSION}"
VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey /LANG=0 "ProductName" "${NAME}"
VIAddVersionKey /LANG=0 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "FileDescription" "${NAME}, setup"
VIAddVersionKey /LANG=0 "CompanyName" "${PUBLISHER}"
VIAddVersionKey /LANG=0 "LegalCopyright" "Apache-2.0"

!macro Stop CODE TEXT
  SetErrorLevel ${CODE}
  MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
  Quit
!macroend

; Windows lets nobody write to a program that runs.
!macro SeeRunning FOLDER FILE
  ${If} ${FileExists} "${FOLDER}\program\${FILE}"
    ClearErrors
    FileOpen $0 "${FOLDER}\program\${FILE}" a
    ${If} ${Errors}
      StrCpy $Code ${IS_RUNNING}
      StrCpy $Problem "$(IsRunning)"
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
!macroend

!macro TellWindows
  ; The types of files have changed.
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"
!macroend

Function .onInit
  SetShellVarContext current
  ${IfNot} ${AtLeastBuild} ${OLDEST}
    !insertmacro Stop ${TOO_OLD} "$(TooOld)"
  ${EndIf}
  System::Call "kernel32::CreateMutex(p 0, i 1, t 'PPDMDesktopSetup') ?e"
  Pop $0
  ${If} $0 == 183
    !insertmacro Stop ${AT_WORK} "$(AtWork)"
  ${EndIf}
FunctionEnd

; Where the program is now, if anywhere, and what stands against the place that was chosen.
Function FindProblem
  StrCpy $Code 0
  ReadRegStr $Before HKCU "${APPS}" "InstallLocation"
  ${IfNot} ${FileExists} "$Before\${REMOVER}"
    StrCpy $Before ""
    ${If} ${FileExists} "$INSTDIR\${REMOVER}"
    ${AndIf} ${FileExists} "$INSTDIR\program\${LIST}"
      StrCpy $Before $INSTDIR
    ${EndIf}
  ${EndIf}
  ${If} $Before != ""
    !insertmacro SeeRunning $Before ${WINDOW}
    !insertmacro SeeRunning $Before ${COMMAND}
  ${EndIf}
  ${DirState} "$INSTDIR" $0
  ${If} $0 == 1
  ${AndIf} $INSTDIR != $Before
  ${AndIfNot} ${FileExists} "$INSTDIR\program.new\*.*"
    StrCpy $Code ${IS_TAKEN}
    StrCpy $Problem "$(IsTaken)"
  ${EndIf}
FunctionEnd

Function SeePlace
  Call FindProblem
  ${If} $Code != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "$Problem"
    Abort
  ${EndIf}
FunctionEnd

Function PutFiles
  !insertmacro PutFiles
FunctionEnd

Function RemoveFiles
  !insertmacro RemoveFiles
FunctionEnd

Function un.RemoveFiles
  !insertmacro RemoveFiles
FunctionEnd

; A setup that was stopped takes away what it put down; what was there before stays.
Function RemoveNew
  SetOutPath "$PROFILE"
  StrCpy $Place "$INSTDIR\program.new"
  Call RemoveFiles
  RMDir "$INSTDIR"
FunctionEnd

Function .onInstFailed
  Call RemoveNew
FunctionEnd

Section
  ; What the functions put down is counted for no section.
  AddSize ${SIZE}
  Call FindProblem
  ${If} $Code != 0
    !insertmacro Stop $Code "$Problem"
  ${EndIf}

  ; The program that is there stays until the whole new one lies beside it.
  SetOverwrite try
  ClearErrors
  StrCpy $Place "$INSTDIR\program.new"
  Call PutFiles
  ${If} ${Errors}
    Call RemoveNew
    !insertmacro Stop ${NOT_WRITTEN} "$(NotWritten)"
  ${EndIf}
  SetOutPath "$PROFILE"
  ${If} $Before != ""
    ; It runs where it lies and not as a copy, so that it is waited for.
    ExecWait '"$Before\${REMOVER}" /S _?=$Before' $0
    ; Anything else that it ends with leaves files behind: the new ones are then put over them, below.
    ${If} $0 == ${IS_RUNNING}
      Call RemoveNew
      !insertmacro Stop ${IS_RUNNING} "$(IsRunning)"
    ${EndIf}
    ${If} $Before != $INSTDIR
      Delete "$Before\${REMOVER}"
      RMDir "$Before"
    ${EndIf}
  ${EndIf}
  ClearErrors
  Rename "$INSTDIR\program.new" "$INSTDIR\program"
  ${If} ${Errors}
    ; Files of others lie in the folder, or old ones that are held: they stay, and the program's come beside them.
    Call RemoveNew
    ClearErrors
    StrCpy $Place "$INSTDIR\program"
    Call PutFiles
    SetOutPath "$PROFILE"
    ${If} ${Errors}
      Call RemoveFiles
      !insertmacro Stop ${NOT_WRITTEN} "$(NotWritten)"
    ${EndIf}
  ${EndIf}
  WriteUninstaller "$INSTDIR\${REMOVER}"

  ; The folder in which the program starts is the one that is set here: that of the user.
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\program\${WINDOW}"

  WriteRegStr HKCU "${CLASSES}\${PROJECT}" "" "$(ProjectFile)"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\DefaultIcon" "" '"$INSTDIR\program\${WINDOW}",0'
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\shell\open\command" "" '"$INSTDIR\program\${WINDOW}" "%1"'
  WriteRegStr HKCU "${CLASSES}\${SUFFIX}\OpenWithProgids" "${PROJECT}" ""
  ReadRegStr $0 HKCU "${CLASSES}\${SUFFIX}" ""
  ${If} $0 == ""
    WriteRegStr HKCU "${CLASSES}\${SUFFIX}" "" "${PROJECT}"
  ${EndIf}
  ; Spreadsheets: named in the program's own key alone, so that "Open with" offers it and nothing is taken over.
  WriteRegStr HKCU "${CLASSES}\Applications\${WINDOW}" "FriendlyAppName" "${NAME}"
  WriteRegStr HKCU "${CLASSES}\Applications\${WINDOW}\shell\open\command" "" '"$INSTDIR\program\${WINDOW}" "%1"'
  !insertmacro SupportedTypes

  WriteRegStr HKCU "${APPS}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${APPS}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${APPS}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${APPS}" "DisplayIcon" "$INSTDIR\program\${WINDOW}"
  WriteRegStr HKCU "${APPS}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${APPS}" "UninstallString" '"$INSTDIR\${REMOVER}"'
  WriteRegStr HKCU "${APPS}" "QuietUninstallString" '"$INSTDIR\${REMOVER}" /S'
  WriteRegDWORD HKCU "${APPS}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${APPS}" "NoModify" 1
  WriteRegDWORD HKCU "${APPS}" "NoRepair" 1
  !insertmacro TellWindows
SectionEnd

Function un.onInit
  SetShellVarContext current
  StrCpy $Code 0
  !insertmacro SeeRunning $INSTDIR ${WINDOW}
  !insertmacro SeeRunning $INSTDIR ${COMMAND}
  ${If} $Code != 0
    !insertmacro Stop $Code "$Problem"
  ${EndIf}
FunctionEnd

Section Uninstall
  SetOutPath "$PROFILE"
  StrCpy $Place "$INSTDIR\program"
  Call un.RemoveFiles
  ${If} ${FileExists} "$INSTDIR\program\${WINDOW}"
    !insertmacro Stop ${NOT_WRITTEN} "$(NotRemoved)"
  ${EndIf}
  Delete "$SMPROGRAMS\${NAME}.lnk"

  DeleteRegKey HKCU "${CLASSES}\${PROJECT}"
  DeleteRegValue HKCU "${CLASSES}\${SUFFIX}\OpenWithProgids" "${PROJECT}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${SUFFIX}\OpenWithProgids"
  ReadRegStr $0 HKCU "${CLASSES}\${SUFFIX}" ""
  ${If} $0 == "${PROJECT}"
    DeleteRegValue HKCU "${CLASSES}\${SUFFIX}" ""
  ${EndIf}
  DeleteRegKey /ifempty HKCU "${CLASSES}\${SUFFIX}"
  DeleteRegKey HKCU "${CLASSES}\Applications\${WINDOW}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\Applications"
  DeleteRegKey HKCU "${APPS}"
  !insertmacro TellWindows

  Delete "$INSTDIR\${REMOVER}"
  RMDir "$INSTDIR"
SectionEnd
