/**
 * Makes self-signed certificates, so that no test needs another program or a key in the repository.
 * It writes the few fields of X.509 that TLS looks at, in DER, by hand.
 */

import { generateKeyPairSync, sign } from 'node:crypto'

/** Both in PEM. */
export interface CertifiedKey {
  readonly key: string
  readonly certificate: string
}

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** A name in the list of alternative names. */
  dnsName: 0x82,
  ipAddress: 0x87,
  version: 0xa0,
  extensions: 0xa3,
} as const

function field(tag: keyof typeof tags, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = body.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tags[tag], ...length]), body])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const objectIds = {
  ecdsaWithSha256: hex('2a8648ce3d040302'),
  commonName: hex('550403'),
  basicConstraints: hex('551d13'),
  alternativeNames: hex('551d11'),
}

/** Valid for these names, or addresses of IPv4, from 2020 to 2049. */
export function certify(...names: readonly string[]): CertifiedKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = field('sequence', field('objectId', objectIds.ecdsaWithSha256))
  const name = nameOf('Second Wind test')
  const body = field(
    'sequence',
    field('version', field('integer', Buffer.from([2]))),
    field('integer', Buffer.from([1])),
    algorithm,
    name,
    field('sequence', time('20200101000000Z'), time('20490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    field('extensions', field('sequence', isAuthority(), alternativeNames(names))),
  )
  const signature = field('bitString', Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = field('sequence', body, algorithm, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: toPem(certificate),
  }
}

function nameOf(text: string): Buffer {
  const value = field('utf8String', Buffer.from(text))
  const attribute = field('sequence', field('objectId', objectIds.commonName), value)
  return field('sequence', field('set', attribute))
}

const time = (text: string) => field('generalizedTime', Buffer.from(text))

function isAuthority(): Buffer {
  const yes = field('boolean', Buffer.from([0xff]))
  return extension(objectIds.basicConstraints, field('sequence', yes))
}

function alternativeNames(names: readonly string[]): Buffer {
  const list = names.map((name) =>
    /^[\d.]+$/.test(name)
      ? field('ipAddress', Buffer.from(name.split('.').map(Number)))
      : field('dnsName', Buffer.from(name)),
  )
  return extension(objectIds.alternativeNames, field('sequence', ...list))
}

function extension(objectId: Buffer, value: Buffer): Buffer {
  return field('sequence', field('objectId', objectId), field('octetString', value))
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
