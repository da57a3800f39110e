import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderForAll } from '../temp-folder.ts'

/** There is no way to make a certificate without the openssl command. */

/** A certificate that vouches for itself, with its key; `names` as in `DNS:service.test,IP:127.0.0.2`. */
export function makeCertificate(names: string): { certificate: string; key: string } {
  const { certificate, key } = makeCertificateFiles(names)
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** As `makeCertificate`, by the paths of both. */
export function makeCertificateFiles(names: string): { certificate: string; key: string } {
  const folder = folderForAll()
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=service.test', '-addext', `subjectAltName=${names}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  return { certificate, key }
}
