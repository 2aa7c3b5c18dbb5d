import type { Cloud } from '../../cloudflare/client.ts'
import {
  changeWidget,
  ensureWidget,
  findWidget,
  readWidgetSecret,
  type Widget,
} from '../../cloudflare/products/turnstile.ts'
import { readDomain } from '../../domain/domains.ts'
import type { Core } from '../../platform.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import { appName } from '../../resource-names.ts'
import { findResource, resourceKey, settleResource } from '../../resources/registry.ts'
import type { ProjectRef, ResourceWork } from '../../resources/work.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import { storeSecret } from '../../capability-state/secrets.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { GuardSettings, WIDGET_SECRET, widgetName } from './declaration.ts'

/** Creates the Turnstile widget for the app's host names, and stores its secret for the live worker. */
export async function makeWidget(
  work: ResourceWork<'keyring' | 'makers'>,
  row: RegisteredResource,
): Promise<void> {
  const { platform, cloud, project } = work
  const wanted = await wantedWidget(platform, cloud, project)
  const widget = await ensureWidget(cloud, wanted, row)
  await updateWidget(cloud, widget, wanted)
  const value = await readWidgetSecret(cloud, widget)
  await storeSecret(platform, platform.db, project, capabilityOf('guard'), { name: WIDGET_SECRET, value })
  await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId: widget.sitekey })
  // The live worker still has the key of a widget that no longer exists, so publish the worker again.
  if (row.provider_id !== null && row.provider_id !== widget.sitekey) await platform.makers.live(work)
}

/** Sets the widget's host names to the current host names of the app. Does nothing while the capability is off. */
export async function syncWidgetHosts(platform: Core, cloud: Cloud, project: ProjectRef): Promise<void> {
  if (!(await enabledCapabilities(platform.db, project.id)).has('guard')) return
  const key = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind: 'widget' as const,
    name: widgetName(project),
  }
  if ((await findResource(platform.db, key))?.state !== 'ok') return
  const widget = await findWidget(cloud, key.name)
  if (widget !== null) await updateWidget(cloud, widget, await wantedWidget(platform, cloud, project))
}

async function wantedWidget(platform: Core, cloud: Cloud, project: ProjectRef) {
  const [stored, domain] = await Promise.all([
    readStoredSettings(platform.db, project.id, 'guard'),
    readDomain(platform.db, project),
  ])
  const { mode } = parseSettings(GuardSettings, stored)
  const hosts = (['production', 'preview'] as const).map(
    (tier) => new URL(cloud.appUrl(appName(project, tier))).hostname,
  )
  return {
    name: widgetName(project),
    mode,
    domains: [...hosts, ...(domain === null ? [] : [domain.hostname])],
  }
}

async function updateWidget(cloud: Cloud, widget: Widget, wanted: Awaited<ReturnType<typeof wantedWidget>>) {
  const isSame =
    widget.mode === wanted.mode && widget.domains.toSorted().join() === wanted.domains.toSorted().join()
  if (!isSame) await changeWidget(cloud, widget, wanted)
}
