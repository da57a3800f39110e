@echo off
rem The window of Hangar, in the browser. Ends with Ctrl+C or when this window is closed.
title Hangar
call "%~dp0hangar.cmd" serve --open %*
