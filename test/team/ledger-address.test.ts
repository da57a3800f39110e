import { expect, it } from 'vitest'
import { readLedgerAddress } from '../../src/main/team/ledger-address.ts'

it('reads an address, and asks for TLS everywhere but on this computer', () => {
  expect(readLedgerAddress('postgres://hangar@db.example.org/ledger')).toEqual({
    name: 'postgres://hangar@db.example.org:5432/ledger',
    host: 'db.example.org',
    port: 5432,
    user: 'hangar',
    database: 'ledger',
    tls: true,
    certificates: null,
  })
  for (const host of ['10.0.0.7:6000', '[fd00::7]', 'nas', '128.0.0.1', 'localhost.example.org'])
    expect(readLedgerAddress(`postgresql://hangar@${host}/ledger`).tls, host).toBe(true)
  for (const host of ['127.0.0.1', '127.8.9.1:6000', '[::1]', 'localhost'])
    expect(readLedgerAddress(`postgres://hangar@${host}/ledger`).tls, host).toBe(false)
})

it('knows one ledger by one name, however it is written', () => {
  const names = ['postgres://h@db/x', 'postgresql://h@db:5432/x'].map((url) => readLedgerAddress(url).name)
  expect(new Set(names).size).toBe(1)
  expect(readLedgerAddress(names[0]!).name).toBe(names[0])
})

it('takes a socket and certificates of the office', () => {
  expect(readLedgerAddress('postgres://hangar@localhost/ledger?host=/var/run/postgresql')).toMatchObject({
    host: '/var/run/postgresql',
    tls: false,
  })
  expect(readLedgerAddress('postgres://hangar@nas/ledger?sslrootcert=/etc/office.pem')).toMatchObject({
    tls: true,
    certificates: '/etc/office.pem',
  })
})

it('takes no password, and nothing that would switch TLS off', () => {
  const refused = [
    'postgres://hangar:word@db/ledger',
    'postgres://hangar@db/ledger?sslmode=disable',
    'postgres://hangar@db/ledger?host=elsewhere',
    'postgres://hangar@db/',
    'postgres://db/ledger',
    'postgres://hangar@/ledger',
    'https://hangar@db/ledger',
    'db',
    'postgres://hangar@db/a/b',
    'postgres://%zz@db/ledger',
  ]
  for (const url of refused) expect(() => readLedgerAddress(url), url).toThrow(/team ledger/)
})
