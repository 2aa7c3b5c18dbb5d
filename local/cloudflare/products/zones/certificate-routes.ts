import { Hono } from 'hono'
import { hasSentinel } from '../../../faults/sentinels.ts'
import { type CertificatePack, certificateStatus, listCertificates } from './certificates.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'

/** The certificates of a zone. As at the provider, lists only active certificates unless all are requested. */
export function certificateRoutes(cloud: Cloud): Hono<ApiEnv> {
  const listPacks = (zoneId: string) =>
    listCertificates(cloud.store, zoneId).map((pack) => toPack(cloud, pack))
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const packs = listPacks(c.get('zone').id)
      return respondWithPage(
        c,
        c.req.query('status') === 'all' ? packs : packs.filter((pack) => pack.status === 'active'),
      )
    })
    .get('/:pack', (c) => {
      const pack = listPacks(c.get('zone').id).find(({ id }) => id === c.req.param('pack'))
      if (pack === undefined) throw new ApiFailure(404, 1404, 'This certificate pack does not exist.')
      return respond(c, pack)
    })
}

const DAY_MS = 24 * 60 * 60_000

function toPack(cloud: Cloud, pack: CertificatePack) {
  const status = certificateStatus(pack, {
    now: cloud.now(),
    timeScale: cloud.timeScale,
    fails: cloud.faults !== null && hasSentinel(pack.host, 'fail-cert'),
  })
  const certificate = {
    id: pack.id,
    hosts: [pack.host],
    status,
    issuer: 'LocalAuthority',
    uploaded_on: isoTime(pack.orderedAt),
    expires_on: isoTime(pack.orderedAt + 90 * DAY_MS),
  }
  return {
    id: pack.id,
    type: 'advanced',
    hosts: [pack.host],
    status,
    certificate_authority: 'google',
    validation_method: 'txt',
    validity_days: 90,
    cloudflare_branding: false,
    certificates: status === 'active' ? [certificate] : [],
    primary_certificate: status === 'active' ? pack.id : null,
    validation_errors:
      status === 'validation_timed_out' ? [{ message: 'The domain could not be validated in time.' }] : [],
  }
}
