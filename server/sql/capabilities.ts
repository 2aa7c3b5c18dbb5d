const capabilityInState = (state: 'creating' | 'error') =>
  `capabilities c where c.project_id = p.id and c.state = '${state}'`

/** SQL conditions: a capability of the project `p` is being provisioned, or could not be provisioned. */
export const IS_PROVISIONING = `exists (select from ${capabilityInState('creating')})`
export const HAS_FAILED = `exists (select from ${capabilityInState('error')})`

/** SQL of the first failure as JSON. The column contains the failure as `code: message` (`joinReason`). */
export const FIRST_FAILURE = `(
  select json_build_object('code', split_part(c.error, ': ', 1), 'message', substr(c.error, strpos(c.error, ': ') + 2))
  from ${capabilityInState('error')} order by c.key limit 1)`
