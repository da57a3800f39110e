import { describe, expect, it } from 'vitest'
import { parseProxyList, systemProxy } from '../../src/main/electron/system-proxy.ts'

const NONE = { https: '', http: '', noProxy: '' }
const SERVICE = new URL('https://images.example.com/api/v1/credits/balance?secret=1')
const both = (address: string) => ({ https: address, http: address, noProxy: '' })

describe('the proxy of the system', () => {
  it.each([
    ['DIRECT', NONE],
    ['', NONE],
    ['PROXY proxy.example:8080', both('http://proxy.example:8080')],
    ['HTTPS proxy.example:443; DIRECT', both('https://proxy.example:443')],
    ['SOCKS5 [::1]:1080', both('socks5://[::1]:1080')],
    ['SOCKS4 old.example:1080; PROXY new.example:3128', both('http://new.example:3128')],
    ['DIRECT; PROXY proxy.example:8080', NONE],
    ['PROXY proxy.example:port; PROXY; NONSENSE x:1', NONE],
  ])('in "%s" is the first way that can be gone', (list, expected) => {
    expect(parseProxyList(list)).toEqual(expected)
  })

  it('is asked for with the origin alone, each time again', async () => {
    const asked: string[] = []
    const answers = ['PROXY a.example:1', 'DIRECT']
    const resolveProxy = async (url: string) => {
      asked.push(url)
      return answers.shift() ?? ''
    }
    const proxyFor = systemProxy({ resolveProxy }, NONE)
    expect(await proxyFor(SERVICE)).toEqual(both('http://a.example:1'))
    expect(await proxyFor(SERVICE)).toEqual(NONE)
    expect(asked).toEqual(['https://images.example.com/', 'https://images.example.com/'])
  })

  it('gives way to what the environment names, which alone can hold a password', async () => {
    const given = { https: 'http://me:word@proxy.example:1', http: '', noProxy: 'a.example' }
    const never = { resolveProxy: () => Promise.reject(new Error('asked')) }
    expect(await systemProxy(never, given)(SERVICE)).toBe(given)
  })

  it('is none for this computer, and none when asking fails', async () => {
    const fails = { resolveProxy: () => Promise.reject(new Error('no network service')) }
    expect(await systemProxy(fails, NONE)(SERVICE)).toEqual(NONE)
    expect(await systemProxy(fails, NONE)(new URL('http://127.0.0.1:1/'))).toEqual(NONE)
  })
})
