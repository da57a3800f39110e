/*
 * The key pair that identifies this browser to the server. The private key is not extractable, neither for scripts nor for
 * another page on the same address: the browser signs with it and stores it for this origin.
 */

const DATABASE = 'hangar'
const STORE = 'keys'
const NAME = 'sign-in'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

let inMemory: Promise<CryptoKeyPair> | null = null

/**
 * Returns the same key every time; created at the first call. Where the browser stores nothing, as in some private windows,
 * it lasts until the page is left.
 */
export function browserKey(): Promise<CryptoKeyPair> {
  inMemory ??= keptKey().catch(() => newKey())
  return inMemory
}

/** As SubjectPublicKeyInfo in base64url. */
export async function publicPart({ publicKey }: CryptoKeyPair): Promise<string> {
  return base64url(await crypto.subtle.exportKey('spki', publicKey))
}

/** ECDSA with SHA-256 over UTF-8, in base64url. */
export async function sign({ privateKey }: CryptoKeyPair, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes))
}

async function keptKey(): Promise<CryptoKeyPair> {
  const database = await opened()
  try {
    const known = await read(database)
    if (known !== undefined) return known
    const made = await newKey()
    // Another tab may have stored a key meanwhile: the first one stays.
    const transaction = database.transaction(STORE, 'readwrite')
    transaction.objectStore(STORE).add(made, NAME)
    await new Promise((resolve) => {
      transaction.addEventListener('complete', resolve)
      transaction.addEventListener('abort', resolve)
    })
    return (await read(database)) ?? made
  } finally {
    database.close()
  }
}

function newKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
  return result(request)
}

function read(database: IDBDatabase): Promise<CryptoKeyPair | undefined> {
  const request = database.transaction(STORE).objectStore(STORE).get(NAME)
  return result(request as IDBRequest<CryptoKeyPair | undefined>)
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })
}

function base64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
