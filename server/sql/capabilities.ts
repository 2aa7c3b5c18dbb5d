const CAPABILITIES = 'capabilities c where c.project_id = p.id'
/** Nothing repairs a capability that is off, so an error that its row still has would stay until someone enables it. */
const FAILED_CAPABILITY = `${CAPABILITIES} and c.state = 'error' and c.enabled`

/** SQL conditions: a capability of the project `p` is being provisioned, or one that is enabled could not be provisioned. */
export const IS_PROVISIONING = `exists (select from ${CAPABILITIES} and c.state = 'creating')`
export const HAS_FAILED = `exists (select from ${FAILED_CAPABILITY})`

/** SQL of the first failure as JSON. The column contains the failure as `code: message` (`joinReason`). */
export const FIRST_FAILURE = `(
  select json_build_object('code', split_part(c.error, ': ', 1), 'message', substr(c.error, strpos(c.error, ': ') + 2))
  from ${FAILED_CAPABILITY} order by c.key limit 1)`
