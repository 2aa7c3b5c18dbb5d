import { isRecord } from '../is-record.ts'
import { bindingKind } from '../products/index.ts'
import * as scripts from '../store/scripts.ts'
import type { Binding, Namespace, Script } from '../types.ts'
import type { ScriptsCloud } from './context.ts'

/** Lists the other workers that have a binding to a worker. wrangler shows this list before it deletes the worker. */
export function toReferences(cloud: ScriptsCloud, script: Script): object {
  const namespaces = scripts.listNamespaces(cloud.store, script.id)
  const uses = usesOf(cloud, script)
  return {
    services: {
      incoming: uses
        .filter(({ binding }) => binding.type === 'service')
        .map(({ by }) => ({ service: by.name, environment: 'production', name: script.name })),
      outgoing: [],
      pages_function: false,
    },
    durable_objects: uses.flatMap(({ by, binding }) => toObjectReference(by, binding, namespaces)),
    dispatch_outbounds: [],
  }
}

function toObjectReference(by: Script, binding: Binding, namespaces: Namespace[]): object[] {
  if (binding.type !== 'durable_object_namespace') return []
  const namespace = namespaces.find(({ className }) => className === binding['class_name'])
  if (namespace === undefined) return []
  return [
    {
      service: by.name,
      environment: 'production',
      durable_object_namespace_id: namespace.id,
      durable_object_namespace_name: namespace.className,
    },
  ]
}

/** Lists the workers that name `consumer` as their tail consumer. */
export function toTailProducers(cloud: ScriptsCloud, consumer: Script): object[] {
  return scripts
    .listScripts(cloud.store, consumer.accountId)
    .filter(({ settings }) => settings.tail_consumers?.some((one) => serviceOf(one) === consumer.name))
    .map((producer) => ({
      consumer: { service: consumer.name, environment: 'production' },
      producer: { service: producer.name, environment: 'production' },
    }))
}

function serviceOf(consumer: unknown): unknown {
  return isRecord(consumer) ? consumer['service'] : undefined
}

/** Returns the names of the other workers that have a binding to this worker. */
export function dependants(cloud: ScriptsCloud, script: Script): string[] {
  return [...new Set(usesOf(cloud, script).map(({ by }) => by.name))]
}

function usesOf(cloud: ScriptsCloud, script: Script): { by: Script; binding: Binding }[] {
  return scripts
    .listScripts(cloud.store, script.accountId)
    .filter((other) => other.id !== script.id)
    .flatMap((by) =>
      (scripts.readActiveVersion(cloud.store, by.id)?.content.bindings ?? [])
        .filter((binding) => reachesScript(binding, script.name))
        .map((binding) => ({ by, binding })),
    )
}

function reachesScript(binding: Binding, name: string): boolean {
  const reached = bindingKind(binding.type)?.joins?.(binding) ?? []
  return reached.some((one) => 'script' in one && one.script === name)
}
