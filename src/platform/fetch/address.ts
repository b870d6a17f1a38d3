/**
 * Owns which addresses on the internet may be called. Of IPv4 all but the special ranges, of IPv6
 * only global unicast, and of that no range in which another address can be hidden.
 */

import { BlockList, isIP } from 'node:net'

type Subnet = readonly [network: string, prefixLength: number]
type Range = readonly [name: string, ...subnets: readonly Subnet[]]

const ipv4Ranges: readonly Range[] = [
  ['an unspecified address', ['0.0.0.0', 8]],
  ['a loopback address', ['127.0.0.0', 8]],
  ['a private address', ['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16]],
  ['a carrier-grade NAT address', ['100.64.0.0', 10]],
  ['a link-local address', ['169.254.0.0', 16]],
  ['a protocol assignment', ['192.0.0.0', 24]],
  ['a documentation address', ['192.0.2.0', 24], ['198.51.100.0', 24], ['203.0.113.0', 24]],
  ['a 6to4 relay', ['192.88.99.0', 24]],
  ['a benchmark address', ['198.18.0.0', 15]],
  ['a multicast address', ['224.0.0.0', 4]],
  ['the broadcast address', ['255.255.255.255', 32]],
  ['a reserved address', ['240.0.0.0', 4]],
  // A public number that is answered inside Azure's machines only, with their secrets.
  ['a cloud metadata address', ['168.63.129.16', 32]],
]

const ipv6Ranges: readonly Range[] = [
  ['the unspecified address', ['::', 128]],
  ['the loopback address', ['::1', 128]],
  ['an IPv4 address in disguise', ['::', 96], ['::ffff:0:0', 96], ['::ffff:0:0:0', 96]],
  ['a NAT64 address', ['64:ff9b::', 96], ['64:ff9b:1::', 48]],
  ['a discard address', ['100::', 64]],
  ['a Teredo address', ['2001::', 32]],
  ['a benchmark address', ['2001:2::', 48]],
  ['a protocol assignment', ['2001::', 23]],
  ['a documentation address', ['2001:db8::', 32], ['3fff::', 20]],
  ['a 6to4 address', ['2002::', 16]],
  ['a unique local address', ['fc00::', 7]],
  ['a link-local address', ['fe80::', 10]],
  ['a site-local address', ['fec0::', 10]],
  ['a multicast address', ['ff00::', 8]],
]

// The families are kept apart: a list takes ::ffff:0:0/96 for the whole of IPv4.
const refusedIpv4 = ipv4Ranges.map((range) => toNamedList(range, 'ipv4'))
const refusedIpv6 = ipv6Ranges.map((range) => toNamedList(range, 'ipv6'))
const globalUnicast = toNamedList(['global unicast', ['2000::', 3]], 'ipv6').list

/** Why an address may not be called, as the end of "it is …"; null where it may. */
export function refusalOf(address: string): string | null {
  // A zone names one of this machine's own interfaces.
  if (address.includes('%')) return 'an address with a zone'
  switch (isIP(address)) {
    case 4:
      return nameIn(refusedIpv4, address, 'ipv4')
    case 6:
      if (globalUnicast.check(address, 'ipv6')) return nameIn(refusedIpv6, address, 'ipv6')
      return nameIn(refusedIpv6, address, 'ipv6') ?? 'not a public address'
    default:
      return 'not an address'
  }
}

interface NamedList {
  readonly name: string
  readonly list: BlockList
}

function toNamedList([name, ...subnets]: Range, family: 'ipv4' | 'ipv6'): NamedList {
  const list = new BlockList()
  for (const [network, prefixLength] of subnets) list.addSubnet(network, prefixLength, family)
  return { name, list }
}

function nameIn(
  lists: readonly NamedList[],
  address: string,
  family: 'ipv4' | 'ipv6',
): string | null {
  return lists.find(({ list }) => list.check(address, family))?.name ?? null
}
