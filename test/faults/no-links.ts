/** Loaded before anything else, makes a process find every file system without hard links, as FAT and some network shares are. */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

fs.link = () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' }))
syncBuiltinESMExports()
