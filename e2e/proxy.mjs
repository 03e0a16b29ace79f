// A proxy with TLS before Denizen, as the guide configures it: nginx or Caddy, with a certificate that a made-up authority signed.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './tally.mjs';

/** The name that people would open; nobody has it in truth. */
export const HOST = 'talk.example';
const GUIDE = new URL('../docs/guides/operating.md', import.meta.url);

/** Whether a program is on the PATH. */
function found(program) {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The proxies that are on this machine. */
export const proxies = () => ['nginx', 'caddy'].filter(found);

/** The authority, and a certificate of its for the name and for this machine. */
export function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'denizen-tls-'));
  const file = (name) => join(folder, name);
  const openssl = (...given) => execFileSync('openssl', given, { stdio: 'ignore' });
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Denizen end to end', '-keyout', file('authority.key'), '-out', file('authority.crt'));
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${HOST}`, '-keyout', file('site.key'), '-out', file('site.csr'));
  writeFileSync(file('names'), `subjectAltName=DNS:${HOST},DNS:localhost\nbasicConstraints=CA:FALSE\n`);
  openssl('x509', '-req', '-in', file('site.csr'), '-CA', file('authority.crt'), '-CAkey', file('authority.key'), '-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file('site.crt'));
  return { folder, authority: file('authority.crt'), certificate: file('site.crt'), key: file('site.key') };
}

/** What the guide says to write down for a proxy. */
function configuration(language) {
  const [, text] = readFileSync(GUIDE, 'utf8').match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``)) ?? [];
  if (!text) throw new Error(`the guide has no configuration for ${language}`);
  return text;
}

const PROGRAMS = {
  nginx: ({ folder, certificate, key }, port, behind) => {
    const site = configuration('nginx').replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`).replace('http://127.0.0.1:8787', behind)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`).replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${join(folder, part)};`).join(' ');
    writeFileSync(join(folder, 'nginx.conf'), `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}\nhttp { access_log off; ${temporary}\n${site}\n}\n`);
    return ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  },
  caddy: ({ folder, certificate, key }, port, behind) => {
    const site = configuration('caddyfile').replace(`${HOST} {`, `https://${HOST}:${port}, https://localhost:${port} {\n\ttls ${certificate} ${key}`).replace('127.0.0.1:8787', behind.replace('http://', ''));
    mkdirSync(join(folder, 'caddy'), { recursive: true });
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${join(folder, 'caddy')}\n}\n${site}`);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  },
};

/** Starts a proxy before an address. */
export async function openProxy(name, tls, port, behind) {
  const [program, ...given] = PROGRAMS[name](tls, port, behind);
  let said = '';
  const running = spawn(program, given, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: tls.folder } });
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => (said += text));
  const over = new Promise((resolve) => running.once('exit', resolve));
  await until(() => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) || socket.destroy());
    socket.on('error', () => resolve(false));
  }), () => `${name} does not listen: ${said.slice(-600)}`, 20_000);
  return { close: () => (running.kill('SIGTERM'), over) };
}
