import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** There is no way to make a certificate without the openssl command. */

/** A certificate that vouches for itself, with its key; `names` as in `DNS:service.test,IP:127.0.0.2`. */
export function makeCertificate(names: string): { certificate: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-tls-'))
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=service.test', '-addext', `subjectAltName=${names}`]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', keyFile, '-out', certificateFile, ...subject], {
      stdio: 'ignore',
    })
    return { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
