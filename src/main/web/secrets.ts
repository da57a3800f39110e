import { createHash, randomBytes } from 'node:crypto'

/** 256 bits, in the alphabet of URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Secrets are looked up by hash, so that the timing of a comparison reveals nothing about them. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
