import { execFileSync } from 'node:child_process'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LedgerConnection } from '../../src/main/team/ledger-connection.ts'
import { readLedgerAddress } from '../../src/main/team/ledger-address.ts'
import { describeWith, OPENSSL } from '../needs.ts'
import { POSTGRES, PostgresServer } from './postgres.ts'
import { folderForAll } from '../temp-folder.ts'

const sourceOf = (name: string) => new URL(`../../src/main/team/${name}`, import.meta.url).href

describeWith(POSTGRES, OPENSSL)('a ledger on another computer', () => {
  let server: PostgresServer
  let database: Awaited<ReturnType<PostgresServer['database']>>
  const dir = folderForAll()
  const file = (name: string) => join(dir, name)

  beforeAll(async () => {
    server = await PostgresServer.start()
    database = await server.database()
  })
  afterAll(async () => {
    await server?.stop()
  })

  /** As for another computer: there TLS is never left out. */
  const open = async (more: { certificates?: string; host?: string } = {}) => {
    const address = { ...readLedgerAddress(database.url), tls: true, ...more }
    const connection = new LedgerConnection(address, database.password)
    try {
      return await connection.open()
    } finally {
      await connection.close()
    }
  }
  /** In a computer whose system trusts these certificates. */
  const openTrusting = (name: string) => {
    const script = `
      const { LedgerConnection } = await import(${JSON.stringify(sourceOf('ledger-connection.ts'))})
      const { readLedgerAddress } = await import(${JSON.stringify(sourceOf('ledger-address.ts'))})
      const address = { ...readLedgerAddress(${JSON.stringify(database.url)}), tls: true }
      const connection = new LedgerConnection(address, ${JSON.stringify(database.password)})
      await connection.open().then(() => console.log('open'), (error) => console.log(error.sentence.values.why.raw))
      await connection.close()`
    const env = { ...process.env, SSL_CERT_FILE: file(name) }
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }).trim()
  }
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  /** What openssl is asked for with a new key of this name. */
  const keyOf = (name: string) => [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    file(`${name}.key`),
    '-subj',
    `/CN=${name}`,
  ]
  const certificate = (name: string, subject: string) => {
    const signed = ['-x509', '-days', '1', '-addext', `subjectAltName=${subject}`]
    openssl('req', ...keyOf(name), ...signed, '-out', file(`${name}.pem`))
  }
  /** For this computer, by the authority that has a certificate under that name. */
  const issued = (name: string, authority: string) => {
    const names = file(`${name}.names`)
    writeFileSync(names, 'subjectAltName=IP:127.0.0.1')
    const request = file(`${name}.csr`)
    openssl('req', ...keyOf(name), '-out', request)
    const by = ['-CA', file(`${authority}.pem`), '-CAkey', file(`${authority}.key`), '-set_serial', '2']
    openssl('x509', '-req', '-days', '1', '-in', request, ...by, '-extfile', names, '-out', file(`${name}.pem`))
  }
  const serve = async (name: string) => {
    for (const [setting, value] of [
      ['ssl_cert_file', `${name}.pem`],
      ['ssl_key_file', `${name}.key`],
    ]) {
      const path = join(server.dir, 'data', value!)
      execFileSync('install', ['-m', '600', file(value!), path])
      const { uid, gid } = statSync(join(server.dir, 'data'))
      chownSync(path, uid, gid)
      await server.query(`ALTER SYSTEM SET ${setting} = '${value}'`)
    }
    await server.query('ALTER SYSTEM SET ssl = on')
    await server.query('SELECT pg_reload_conf()')
  }

  it('is not used without encryption, nor with a certificate that is not trusted or of another computer', async () => {
    await expect(open()).rejects.toThrow(/not secure/)
    certificate('ours', 'IP:127.0.0.1')
    certificate('other', 'DNS:db.example.org')
    await serve('ours')
    await expect(open()).rejects.toMatchObject({ code: 'ledger_refused' })
    expect((await open({ certificates: file('ours.pem') })).secret).not.toBe('')
    // The system trusts it, as after an office's administrator installed it; or trusts another one.
    expect(openTrusting('ours.pem')).toBe('open')
    expect(openTrusting('other.pem')).toBe('self-signed certificate')
    // Issued by an office's own authority, of which this computer does not know.
    issued('issued', 'ours')
    await serve('issued')
    await expect(open()).rejects.toMatchObject({ code: 'ledger_refused' })
    expect((await open({ certificates: file('ours.pem') })).secret).not.toBe('')
    await serve('other')
    await expect(open({ certificates: file('other.pem') })).rejects.toMatchObject({ code: 'ledger_refused' })
    await expect(open({ certificates: file('nowhere.pem') })).rejects.toMatchObject({ code: 'ledger_refused' })
  })
})
