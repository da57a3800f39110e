// The app of a runtime for tests: Hangar's built main process, from the folder that HANGAR_TEST_APP names.
import process from 'node:process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import './shim.cjs'

const folder = process.env.HANGAR_TEST_APP
delete process.env.HANGAR_TEST_APP
await import(pathToFileURL(join(folder, 'out/main/index.js')).href)
