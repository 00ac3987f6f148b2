// The client of NATS, a file of its own that only a home that shares loads.
export {
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
export {
  AuthorizationError,
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  nanos,
  PermissionViolationError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
