import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Config, Service, Worker } from 'miniflare'
import { leanConfig } from './lean-config.ts'

const modules = [{ name: 'index.js', esModule: 'export default {}' }]
const worker = (name: string, more: Partial<Worker> = {}): Service => ({ name, worker: { modules, ...more } })
const app = (name: string, index: number, more: Partial<Worker> = {}): Service =>
  worker(`core:user:${name}`, {
    globalOutbound: { name: `outbound:${index}` },
    cacheApiOutbound: { name: `cache:${index}` },
    ...more,
  })
/** Miniflare's service that every request to the network passes. With `strips` it removes the header with the visitor's address. */
const outbound = (index: number, strips: boolean): Service =>
  worker(`outbound:${index}`, {
    bindings: [
      { name: 'CF_WORKER_ZONE', text: `zone-${index}` },
      { name: 'STRIP_CF_CONNECTING_IP', json: JSON.stringify(strips) },
    ],
  })
const socket = (name: string, service: string) => ({ name, service: { name: service }, http: {} })

const workersOf = ({ services = [] }: Config) =>
  services.filter((service) => 'worker' in service).map(({ name }) => name)
const workerOf = ({ services = [] }: Config, name: string) => {
  const found = services.find((service) => service.name === name)
  return found !== undefined && 'worker' in found ? found.worker : undefined
}

describe('the configuration of a process', () => {
  test('a worker that no socket reaches is removed, with the services that only it uses', () => {
    const lean = leanConfig({
      services: [
        worker('core:user:shop', { bindings: [{ name: 'KV', kvNamespace: { name: 'kv:notes' } }] }),
        worker('kv:notes', { durableObjectStorage: { localDisk: 'kv:disk' } }),
        { name: 'kv:disk', disk: { path: '/data' } },
        worker('core:entry', { bindings: [{ name: 'MAIL', service: { name: 'email:store' } }] }),
        worker('email:store'),
      ],
      sockets: [socket('entry', 'core:entry'), socket('direct:0:default', 'core:user:shop')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:shop', 'kv:notes'])
    assert.ok(lean.services?.some(({ name }) => name === 'kv:disk'))
  })

  test('workers share the services in front of the network and the cache, but not their own code', () => {
    const lean = leanConfig({
      services: [
        ...[0, 1].flatMap((n) => [app(`app-${n}`, n), outbound(n, false), worker(`cache:${n}`)]),
        app('other', 2),
        outbound(2, true),
        worker('cache:2', { bindings: [{ name: 'OBJECT', text: 'kept' }] }),
      ],
      sockets: ['app-0', 'app-1', 'other'].map((name) => socket(name, `core:user:${name}`)),
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

  test("workers that send their app's name with requests do not share a network service", () => {
    const lean = leanConfig({
      services: [app('a', 0), outbound(0, true), app('b', 1), outbound(1, true)],
      sockets: [socket('a', 'core:user:a'), socket('b', 'core:user:b')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:a', 'outbound:0', 'core:user:b', 'outbound:1'])
  })

  test('an internal worker has no network access', () => {
    const lean = leanConfig({
      services: [app('_ping', 0), outbound(0, false), worker('cache:0')],
      sockets: [socket('ping', 'core:user:_ping')],
    })
    assert.deepEqual(workersOf(lean), ['core:user:_ping'])
    const way = workerOf(lean, 'core:user:_ping')?.globalOutbound?.name
    assert.equal(workerOf(lean, 'core:user:_ping')?.cacheApiOutbound?.name, way)
    const nothing = lean.services?.find(({ name }) => name === way)
    assert.deepEqual(nothing, { name: way, network: { allow: [], deny: [] } })
  })

  test('requests for assets bypass the proxy that only callers inside the process need', () => {
    const services = [
      worker('core:user:shop'),
      worker('assets:router:shop', { bindings: [{ name: 'APP', service: { name: 'core:user:shop' } }] }),
      worker('assets:rpc-proxy:shop', {
        bindings: [{ name: 'ROUTER', service: { name: 'assets:router:shop' } }],
      }),
    ]
    const sockets = [socket('shop', 'assets:rpc-proxy:shop')]
    assert.deepEqual(workersOf(leanConfig({ services, sockets })), ['core:user:shop', 'assets:router:shop'])
    const caller = worker('core:user:admin', {
      bindings: [{ name: 'SHOP', service: { name: 'assets:rpc-proxy:shop' } }],
    })
    const lean = leanConfig({
      services: [...services, caller],
      sockets: [...sockets, socket('admin', 'core:user:admin')],
    })
    assert.ok(workersOf(lean).includes('assets:rpc-proxy:shop'))
  })
})
