import { bindingKind } from '../products/index.ts'
import type { Binding, Deployment, Script, Version, VersionContent } from '../types.ts'
import { isoTime } from '../rest/envelope.ts'
import { localOwner } from '../accounts/accounts.ts'

/** The provider's JSON of workers, made from stored rows. */

/** Returns a binding as the API shows it, never with the value of a secret. */
export function toBinding(binding: Binding): object {
  return bindingKind(binding.type)?.shown?.(binding) ?? binding
}

/** Returns a worker as the scripts API shows it. `content` is the deployed version, or null without a deployment. */
export function toScript(script: Script, content: VersionContent | null): object {
  return {
    id: script.name,
    tag: script.id,
    tags: script.settings.tags ?? [],
    etag: content?.etag ?? '',
    handlers: content?.handlers ?? [],
    named_handlers: content?.namedHandlers ?? [],
    has_assets: content?.assets !== null && content !== null,
    has_modules: content?.mainModule !== null && content !== null,
    usage_model: content?.usageModel ?? 'standard',
    compatibility_date: content?.compatibilityDate ?? '',
    compatibility_flags: content?.compatibilityFlags ?? [],
    last_deployed_from: content?.source ?? 'api',
    logpush: script.settings.logpush ?? false,
    observability: script.settings.observability ?? { enabled: false },
    tail_consumers: script.settings.tail_consumers ?? null,
    ...(script.migrationTag === null ? {} : { migration_tag: script.migrationTag }),
    created_on: isoTime(script.createdAt),
    modified_on: isoTime(script.modifiedAt),
  }
}

/** Returns a worker in the older format with environments, of which there is always only `production`. */
export function toService(script: Script, content: VersionContent | null): object {
  const environment = {
    environment: 'production',
    created_on: isoTime(script.createdAt),
    modified_on: isoTime(script.modifiedAt),
    script_tag: script.id,
    script: toScript(script, content),
  }
  return {
    id: script.name,
    created_on: environment.created_on,
    modified_on: environment.modified_on,
    default_environment: environment,
    environments: [environment],
  }
}

/** Returns a worker in the format of the provider's newer API. */
export function toWorker(script: Script): object {
  return {
    id: script.id,
    name: script.name,
    subdomain: toSubdomain(script),
    observability: script.settings.observability ?? { enabled: false },
    tags: script.settings.tags ?? [],
    created_on: isoTime(script.createdAt),
    updated_on: isoTime(script.modifiedAt),
  }
}

export function toSubdomain(script: Script): object {
  return { enabled: script.isOnSubdomain, previews_enabled: script.hasPreviews }
}

export function toVersion(version: Version): object {
  const { content } = version
  return {
    id: version.id,
    number: version.number,
    metadata: {
      created_on: isoTime(version.createdAt),
      modified_on: isoTime(version.createdAt),
      source: content.source,
      author_id: localOwner.id,
      author_email: localOwner.email,
      hasPreview: false,
    },
    annotations: content.annotations,
    startup_time_ms: content.startupTimeMs,
    resources: {
      bindings: content.bindings.map(toBinding),
      script: {
        etag: content.etag,
        handlers: content.handlers,
        named_handlers: content.namedHandlers,
        last_deployed_from: content.source,
      },
      script_runtime: {
        compatibility_date: content.compatibilityDate,
        compatibility_flags: content.compatibilityFlags,
        usage_model: content.usageModel,
        ...(content.migrationTag === null ? {} : { migration_tag: content.migrationTag }),
      },
    },
  }
}

export function toDeployment(deployment: Deployment): object {
  return {
    id: deployment.id,
    source: deployment.source,
    strategy: 'percentage',
    author_email: localOwner.email,
    annotations: deployment.annotations,
    versions: [{ version_id: deployment.versionId, percentage: 100 }],
    created_on: isoTime(deployment.createdAt),
  }
}
