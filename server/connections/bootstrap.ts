import type { Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformPorts } from '../platform.ts'
import { connectLocalCloud, connectLocalCodeHost } from './connect-local-world.ts'
import { saveSettings } from '../admin/settings.ts'

/**
 * Stores the settings of a new organization in the transaction that creates it and, while the local emulators are
 * enabled, a connection to the built-in model. Queues jobs that connect the emulators of Cloudflare and GitHub, so
 * that the organization can build and deploy without an account at a provider.
 */
export async function bootstrapOrganization(
  platform: PlatformPorts<'config' | 'jobs'>,
  trx: Trx,
  organization: { id: string; slug: string },
): Promise<void> {
  const now = platform.clock.now()
  const { defaultPlan } = platform.config
  await saveSettings(trx, { now, defaultPlan }, organization.id, { plan: defaultPlan })
  if (!platform.config.localWorld) return
  await trx
    .insertInto('model_connections')
    .values({
      id: newId('mdl'),
      org_id: organization.id,
      provider: 'scaffold',
      label: 'Scaffold (built in)',
      // The address is not stored, because the emulators may have another port after a restart. `openModelConnection`
      // reads the address from the configuration.
      base_url: null,
      key: null,
      models: ['scaffold-1'],
      default_model: 'scaffold-1',
      is_default: true,
      limits: null,
      created_at: now,
    })
    .execute()
  for (const connect of [connectLocalCloud, connectLocalCodeHost]) {
    await platform.jobs.send(trx, connect, { organizationId: organization.id, name: organization.slug })
  }
}
