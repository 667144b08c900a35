/* python.exe: the Python that the DLL beside it is. Its folder is where Python looks for Lib and DLLs. */
#include <windows.h>
#include <stdio.h>

typedef int (*run)(int, wchar_t **);

int wmain(int count, wchar_t **words)
{
    HMODULE python = LoadLibraryW(L"python311.dll");
    run main = python ? (run)(void *)GetProcAddress(python, "Py_Main") : NULL;
    if (main == NULL) {
        fprintf(stderr, "python311.dll cannot be loaded (%lu)\n", GetLastError());
        return 101;
    }
    return main(count, words);
}
