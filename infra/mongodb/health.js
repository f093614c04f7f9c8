// Health check of MongoDB, run by mongosh on each server. It also creates the replica set and the users if they are missing, so it can
// be killed at any point. A secondary is healthy, and so is a primary that accepts the service's password.

const SET = 'rs0';
const server = db.getSiblingDB('admin');
const { MONGODB_MEMBERS, MONGODB_ADMIN_PASSWORD, MONGODB_LEVY_PASSWORD } = process.env;

function letsIn(user, password) {
  try {
    return server.auth(user, password).ok === 1;
  } catch (error) {
    if (error.codeName !== 'AuthenticationFailed') throw error;
    return false;
  }
}

// While there is no user, MongoDB lets callers on the same machine initiate the replica set and create the first user.
function createUsers() {
  if (!letsIn('admin', MONGODB_ADMIN_PASSWORD)) {
    server.createUser({ user: 'admin', pwd: MONGODB_ADMIN_PASSWORD, roles: ['root'] });
    server.auth('admin', MONGODB_ADMIN_PASSWORD);
  }
  const levy = { pwd: MONGODB_LEVY_PASSWORD, roles: [{ role: 'readWrite', db: 'levy' }] };
  if (server.getUser('levy') === null) server.createUser({ user: 'levy', ...levy });
  else server.updateUser('levy', levy);
}

function isWell() {
  const { isreplicaset, setName, secondary, isWritablePrimary } = server.runCommand({ hello: 1 });
  if (isreplicaset && MONGODB_MEMBERS) {
    const members = MONGODB_MEMBERS.split(',').map((host, _id) => ({ _id, host }));
    rs.initiate({ _id: SET, members });
    return false;
  }
  if (setName !== SET) return false;
  if (isWritablePrimary && !letsIn('levy', MONGODB_LEVY_PASSWORD)) createUsers();
  return secondary || isWritablePrimary;
}

quit(isWell() ? 0 : 1);
