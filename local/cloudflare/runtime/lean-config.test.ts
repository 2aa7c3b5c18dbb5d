import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Config, Service, Worker } from 'miniflare'
import { minimizeConfig } from './lean-config.ts'

const modules = [{ name: 'index.js', esModule: 'export default {}' }]
const workerService = (name: string, more: Partial<Worker> = {}): Service => ({
  name,
  worker: { modules, ...more },
})
const appService = (name: string, index: number, more: Partial<Worker> = {}): Service =>
  workerService(`core:user:${name}`, {
    globalOutbound: { name: `outbound:${index}` },
    cacheApiOutbound: { name: `cache:${index}` },
    ...more,
  })
/**
 * Miniflare's service through which all requests to the network pass. With `strips`, the service removes the header with the visitor's
 * address.
 */
const outboundService = (index: number, strips: boolean): Service =>
  workerService(`outbound:${index}`, {
    bindings: [
      { name: 'CF_WORKER_ZONE', text: `zone-${index}` },
      { name: 'STRIP_CF_CONNECTING_IP', json: JSON.stringify(strips) },
    ],
  })
const makeSocket = (name: string, service: string) => ({ name, service: { name: service }, http: {} })

const workersOf = ({ services = [] }: Config) =>
  services.filter((service) => 'worker' in service).map(({ name }) => name)
const workerOf = ({ services = [] }: Config, name: string) => {
  const found = services.find((service) => service.name === name)
  return found !== undefined && 'worker' in found ? found.worker : undefined
}

describe('the configuration of a process', () => {
  test('a worker that no socket reaches is removed from the workerd configuration, with the services that only it uses', () => {
    const lean = minimizeConfig({
      services: [
        workerService('core:user:shop', { bindings: [{ name: 'KV', kvNamespace: { name: 'kv:notes' } }] }),
        workerService('kv:notes', { durableObjectStorage: { localDisk: 'kv:disk' } }),
        { name: 'kv:disk', disk: { path: '/data' } },
        workerService('core:entry', { bindings: [{ name: 'MAIL', service: { name: 'email:store' } }] }),
        workerService('email:store'),
      ],
      sockets: [makeSocket('entry', 'core:entry'), makeSocket('direct:0:default', 'core:user:shop')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:shop', 'kv:notes'])
    assert.ok(lean.services?.some(({ name }) => name === 'kv:disk'))
  })

  test('equal network and cache services of several workers are merged in the workerd configuration, but workers are not', () => {
    const lean = minimizeConfig({
      services: [
        ...[0, 1].flatMap((n) => [
          appService(`app-${n}`, n),
          outboundService(n, false),
          workerService(`cache:${n}`),
        ]),
        appService('other', 2),
        outboundService(2, true),
        workerService('cache:2', { bindings: [{ name: 'OBJECT', text: 'kept' }] }),
      ],
      sockets: ['app-0', 'app-1', 'other'].map((name) => makeSocket(name, `core:user:${name}`)),
    })
    assert.deepEqual(workersOf(lean), [
      'core:user:app-0',
      'outbound:0',
      'cache:0',
      'core:user:app-1',
      'core:user:other',
      'outbound:2',
      'cache:2',
    ])
    assert.deepEqual(workerOf(lean, 'core:user:app-1')?.globalOutbound, { name: 'outbound:0' })
    assert.deepEqual(workerOf(lean, 'core:user:other')?.cacheApiOutbound, { name: 'cache:2' })
  })

  test("network services that add their worker's zone to requests are not merged", () => {
    const lean = minimizeConfig({
      services: [appService('a', 0), outboundService(0, true), appService('b', 1), outboundService(1, true)],
      sockets: [makeSocket('a', 'core:user:a'), makeSocket('b', 'core:user:b')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:a', 'outbound:0', 'core:user:b', 'outbound:1'])
  })

  test('a worker that belongs to the local cloud itself is configured without network access', () => {
    const lean = minimizeConfig({
      services: [appService('_ping', 0), outboundService(0, false), workerService('cache:0')],
      sockets: [makeSocket('ping', 'core:user:_ping')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:_ping'])
    const way = workerOf(lean, 'core:user:_ping')?.globalOutbound?.name
    assert.equal(workerOf(lean, 'core:user:_ping')?.cacheApiOutbound?.name, way)
    const nothing = lean.services?.find(({ name }) => name === way)
    assert.deepEqual(nothing, { name: way, network: { allow: [], deny: [] } })
  })

  test('the RPC proxy of a worker with assets is removed, unless another worker in the process has a binding to the proxy', () => {
    const services = [
      workerService('core:user:shop'),
      workerService('assets:router:shop', {
        bindings: [{ name: 'APP', service: { name: 'core:user:shop' } }],
      }),
      workerService('assets:rpc-proxy:shop', {
        bindings: [{ name: 'ROUTER', service: { name: 'assets:router:shop' } }],
      }),
    ]
    const sockets = [makeSocket('shop', 'assets:rpc-proxy:shop')]
    assert.deepEqual(workersOf(minimizeConfig({ services, sockets })), [
      'core:user:shop',
      'assets:router:shop',
    ])
    const caller = workerService('core:user:admin', {
      bindings: [{ name: 'SHOP', service: { name: 'assets:rpc-proxy:shop' } }],
    })
    const lean = minimizeConfig({
      services: [...services, caller],
      sockets: [...sockets, makeSocket('admin', 'core:user:admin')],
    })
    assert.ok(workersOf(lean).includes('assets:rpc-proxy:shop'))
  })
})
