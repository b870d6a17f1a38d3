/** Tests which addresses may be called, each range at its edges, in every form a URL can give. */

import { BlockList } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalOf } from './address.ts'
import { AllowList, parseTarget } from './target.ts'

const refused: readonly (readonly [address: string, reason: string])[] = [
  ['0.0.0.0', 'an unspecified address'],
  ['0.255.255.255', 'an unspecified address'],
  ['10.0.0.0', 'a private address'],
  ['10.255.255.255', 'a private address'],
  ['100.64.0.0', 'a carrier-grade NAT address'],
  ['100.100.100.200', 'a carrier-grade NAT address'],
  ['100.127.255.255', 'a carrier-grade NAT address'],
  ['127.0.0.1', 'a loopback address'],
  ['127.255.255.254', 'a loopback address'],
  ['168.63.129.16', 'a cloud metadata address'],
  ['169.254.0.0', 'a link-local address'],
  ['169.254.169.254', 'a link-local address'],
  ['169.254.255.255', 'a link-local address'],
  ['172.16.0.0', 'a private address'],
  ['172.31.255.255', 'a private address'],
  ['192.0.0.0', 'a protocol assignment'],
  ['192.0.0.192', 'a protocol assignment'],
  ['192.0.2.1', 'a documentation address'],
  ['192.88.99.1', 'a 6to4 relay'],
  ['192.168.0.0', 'a private address'],
  ['192.168.255.255', 'a private address'],
  ['198.18.0.0', 'a benchmark address'],
  ['198.19.255.255', 'a benchmark address'],
  ['198.51.100.255', 'a documentation address'],
  ['203.0.113.0', 'a documentation address'],
  ['203.0.113.255', 'a documentation address'],
  ['224.0.0.1', 'a multicast address'],
  ['239.255.255.255', 'a multicast address'],
  ['240.0.0.0', 'a reserved address'],
  ['255.255.255.254', 'a reserved address'],
  ['255.255.255.255', 'the broadcast address'],
  ['::', 'the unspecified address'],
  ['::1', 'the loopback address'],
  ['0:0:0:0:0:0:0:1', 'the loopback address'],
  ['::7f00:1', 'an IPv4 address in disguise'],
  ['::8.8.8.8', 'an IPv4 address in disguise'],
  ['::ffff:127.0.0.1', 'an IPv4 address in disguise'],
  ['::ffff:7f00:1', 'an IPv4 address in disguise'],
  ['::FFFF:10.0.0.1', 'an IPv4 address in disguise'],
  ['::ffff:8.8.8.8', 'an IPv4 address in disguise'],
  ['::ffff:0:127.0.0.1', 'an IPv4 address in disguise'],
  ['64:ff9b::', 'a NAT64 address'],
  ['64:ff9b::7f00:1', 'a NAT64 address'],
  ['64:ff9b::169.254.169.254', 'a NAT64 address'],
  ['64:ff9b:1::', 'a NAT64 address'],
  ['64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'a NAT64 address'],
  ['64:ff9b:2::', 'not a public address'],
  ['100::1', 'a discard address'],
  ['1fff:ffff::1', 'not a public address'],
  ['2001::', 'a Teredo address'],
  ['2001:0:7f00:1::', 'a Teredo address'],
  ['2001:2::1', 'a benchmark address'],
  ['2001:10::1', 'a protocol assignment'],
  ['2001:20::1', 'a protocol assignment'],
  ['2001:1ff:ffff::', 'a protocol assignment'],
  ['2001:db8::1', 'a documentation address'],
  ['2001:db8:ffff:ffff::1', 'a documentation address'],
  ['2002:7f00:1::', 'a 6to4 address'],
  ['2002:a00:1::1', 'a 6to4 address'],
  ['3fff::1', 'a documentation address'],
  ['3fff:fff:ffff::', 'a documentation address'],
  ['4000::', 'not a public address'],
  ['5f00::1', 'not a public address'],
  ['fc00::', 'a unique local address'],
  ['fd00:ec2::254', 'a unique local address'],
  ['fdff:ffff::1', 'a unique local address'],
  ['fe80::1', 'a link-local address'],
  ['febf:ffff::1', 'a link-local address'],
  ['fec0::1', 'a site-local address'],
  ['ff00::', 'a multicast address'],
  ['ff02::1', 'a multicast address'],
  ['fe80::1%eth0', 'an address with a zone'],
  ['2606:4700::1111%1', 'an address with a zone'],
  ['localhost', 'not an address'],
  ['127.1', 'not an address'],
  ['0x7f000001', 'not an address'],
  ['', 'not an address'],
]

const permitted = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.101.0',
  '203.0.114.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '3ffe:ffff::1',
  '3fff:1000::1',
]

describe('an address', () => {
  test.each(refused)('%s is refused as %s', (address, reason) => {
    expect(refusalOf(address)).toBe(reason)
  })

  test.each(permitted)('%s may be called', (address) => {
    expect(refusalOf(address)).toBeNull()
  })

  test('of IPv6 is refused unless it is global unicast', () => {
    const unicast = new BlockList()
    unicast.addSubnet('2000::', 3, 'ipv6')
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const isGlobal = unicast.check(address, 'ipv6')
        expect(isGlobal || refusalOf(address) !== null).toBe(true)
      }),
    )
  })

  test('of IPv4 is refused in each form that IPv6 has for it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const high = (a * 256 + b).toString(16)
        const low = (c * 256 + d).toString(16)
        const forms = [
          `::${address}`,
          `::ffff:${address}`,
          `::ffff:${high}:${low}`,
          `64:ff9b::${address}`,
          `64:ff9b:1::${address}`,
          `2002:${high}:${low}::`,
          `2001:0:${high}:${low}::`,
        ]
        for (const form of forms) expect(refusalOf(form)).not.toBeNull()
      }),
    )
  })
})

describe('an odd form in a URL comes to the address it stands for', () => {
  test.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['127。0。0。1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['0xa9fea9fe', '169.254.169.254'],
    ['2852039166', '169.254.169.254'],
    ['0300.0250.0.1', '192.168.0.1'],
    ['10.1', '10.0.0.1'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[::127.0.0.1]', '::7f00:1'],
    ['[64:ff9b::10.0.0.1]', '64:ff9b::a00:1'],
  ])('%s', (host, address) => {
    const target = parseTarget(`https://${host}/`, new AllowList([]))
    expect(target.hostname).toBe(address)
    expect(refusalOf(target.hostname)).not.toBeNull()
  })
})
