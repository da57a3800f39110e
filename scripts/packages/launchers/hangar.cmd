@echo off
rem Hangar's command line, with the Node beside it.
setlocal
if not defined HANGAR_RUN_AS set HANGAR_RUN_AS="%~f0"
"%~dp0node.exe" "%~dp0app\out\main\cli.js" %*
