import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Creates a certificate for this machine with the `openssl` command. Returns the paths of the key and the certificate. */
export function makeCertificate(directory: string): { key: string; certificate: string } {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'pipe',
  });
  return { key, certificate };
}
