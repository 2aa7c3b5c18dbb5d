import * as z from 'zod'
import { type BindingKind, refuseUpload, textField } from './binding.ts'
import { findScript } from '../store/scripts.ts'
import type { PlannedWorker } from '../workerd/plan.ts'
import { isRecord } from '../is-record.ts'

export const plainText: BindingKind = {
  types: ['plain_text'],
  env: (binding) => ({ type: 'text', value: String(binding['text'] ?? '') }),
}

export const jsonBinding: BindingKind = {
  types: ['json'],
  env: (binding) => ({ type: 'json', value: binding['json'] as never }),
}

export const secretText: BindingKind = {
  types: ['secret_text'],
  isSecret: true,
  // Use `text`: Miniflare's type `secret` declares a secret without a value.
  env: (binding) => ({ type: 'text', value: String(binding['text'] ?? '') }),
  shown: ({ type, name }) => ({ type, name }),
}

/** A cryptographic key. Miniflare has no such binding, so the app gets the key's text and must import it. */
export const secretKey: BindingKind = {
  types: ['secret_key'],
  isSecret: true,
  check: (binding) => {
    if (textField(binding, 'key_base64') !== null) return
    if (binding['format'] !== 'jwk') throw refuseUpload(`Binding ${binding.name} holds no key_base64.`)
    if (!isRecord(binding['key_jwk'])) throw refuseUpload(`Binding ${binding.name} holds no key_jwk.`)
  },
  env: (binding) => ({
    type: 'text',
    value: textField(binding, 'key_base64') ?? JSON.stringify(binding['key_jwk']),
  }),
  shown: ({ key_base64: _bytes, key_jwk: _key, ...rest }) => rest,
}

/** The binding to the files that were uploaded with the worker. */
export const assetsBinding: BindingKind = {
  types: ['assets'],
  check: (binding, { hasAssets }) => {
    if (!hasAssets) throw refuseUpload(`Binding ${binding.name} needs assets, and this upload has none.`)
  },
  env: () => ({ type: 'assets' }),
}

/** A binding to another worker. As at the provider, the target must exist when the worker is uploaded. */
export const serviceBinding: BindingKind = {
  types: ['service'],
  check: (binding, { store, accountId, scriptName }) => {
    const target = textField(binding, 'service')
    if (target === null) throw refuseUpload(`Binding ${binding.name} names no service.`)
    if (target === scriptName || findScript(store, accountId, target) !== null) return
    throw refuseUpload(
      `Could not resolve service binding '${binding.name}'. Target script '${target}' not found.`,
      10143,
    )
  },
  joins: (binding) => [{ script: String(binding['service']) }],
  env: (binding, _worker, plan) => {
    const target = String(binding['service'])
    const exportName = textField(binding, 'entrypoint')
    if (!plan.workers.some(({ script }) => script.name === target)) return null
    return {
      type: 'worker',
      worker: target,
      ...(exportName === null ? {} : { exportName }),
      ...(isRecord(binding['props']) ? { props: binding['props'] } : {}),
    }
  },
}

export const versionMetadata: BindingKind = {
  types: ['version_metadata'],
  // Do not use Miniflare's own type: it returns a random id, but apps compare it with the version id that the API returns.
  env: (_binding, worker) => ({ type: 'json', value: toVersionMetadata(worker) }),
}

function toVersionMetadata({ version, content }: PlannedWorker) {
  return {
    id: version?.id ?? '',
    tag: content.annotations['workers/tag'] ?? '',
    timestamp: new Date(version?.createdAt ?? 0).toISOString(),
  }
}

export const imagesBinding: BindingKind = {
  types: ['images'],
  env: () => ({ type: 'images' }),
}

const RateLimit = z.object({
  namespace_id: z.string().min(1),
  simple: z.object({ limit: z.number().int().positive(), period: z.union([z.literal(10), z.literal(60)]) }),
})

export const rateLimitBinding: BindingKind = {
  types: ['ratelimit'],
  check: (binding) => {
    const read = RateLimit.safeParse(binding)
    if (!read.success) throw refuseUpload(`Binding ${binding.name}: ${z.prettifyError(read.error)}`)
  },
  env: (binding) => {
    const { namespace_id: namespace, simple } = RateLimit.parse(binding)
    return { type: 'rate-limit', namespace, simple }
  },
}
