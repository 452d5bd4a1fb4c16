import React from 'react';
import { createRoot } from 'react-dom/client';
import { PassportProvider } from './context/PassportContext';
import MemberCard from './components/MemberCard';
import Proposals from './components/Proposals';
import Invite from './components/Invite';

const invite = (wallet) => window.open(`mailto:?subject=Join the coop&body=${wallet}`);

createRoot(document.getElementById('root')).render(
  <PassportProvider>
    <MemberCard />
    <Proposals />
    <Invite onInvite={invite} />
  </PassportProvider>,
);
