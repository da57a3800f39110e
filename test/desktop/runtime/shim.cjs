'use strict'
// Loaded before Hangar in an Electron that is older than its own: what Node 20 lacks of Node 24, and a better-sqlite3 that
// was compiled for it. Nothing here is part of Hangar.
const path = require('node:path')
const tls = require('node:tls')
const workers = require('node:worker_threads')
const zlib = require('node:zlib')

const lack = (name) => () => {
  throw new Error(`${name} is not in this runtime, which is for tests`)
}
zlib.createZstdDecompress ??= lack('zlib.createZstdDecompress')
workers.markAsUncloneable ??= () => undefined
tls.getCACertificates ??= () => tls.rootCertificates

const load = process.dlopen.bind(process)
const compiled = path.join(module.path, 'better_sqlite3.node')
process.dlopen = (target, file, ...flags) => {
  const isSqlite = /[\\/]better-sqlite3[\\/]prebuilds[\\/]/.test(file)
  return load(target, isSqlite ? compiled : file, ...flags)
}
